#!/usr/bin/env bash
# Co-simulates the receive window in Verilog with the behavioural model; needs Icarus Verilog and Python.
#   run.sh            the window as it is: agrees, exit code 0
#   run.sh --bug 1    with a planted fault, 1 or 2: found, exit code 1
# METAROCE_COSIM is the command of the model, ./metaroce cosim of this checkout unless set.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bug=0
if [ "${1:-}" = --bug ]; then bug=${2:-1}; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
iverilog -g2005 -Wall -P "testbench.BUG=$bug" -o "$folder/window.vvp" "$here/testbench.v" "$here/sack_window.v"
model=${METAROCE_COSIM:-$here/../../../metaroce cosim}
# shellcheck disable=SC2086 — a command is words
python3 -B "$here/bench.py" vvp -n "$folder/window.vvp" -- $model
