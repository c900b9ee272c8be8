package io.metaroce.compliance.adapter.model;

import io.metaroce.datagram.Address;
import tools.jackson.databind.JsonNode;

/** Something that was fed to a model, so that it can be fed to another one. */
sealed interface Input {
    /** Feeds it; what comes of it has been seen before. */
    void into(Model model);

    /** Memory it takes, about. */
    int bytes();

    /** A datagram. */
    @SuppressWarnings("ArrayRecordComponent") // kept, never compared
    record Arrived(long tNs, Address from, int plane, int ecn, byte[] datagram) implements Input {
        @Override
        public void into(Model model) {
            model.receive(tNs, from, plane, ecn, datagram, 0, datagram.length);
            model.taken();
        }

        @Override
        public int bytes() {
            return 64 + datagram.length;
        }
    }

    /** A command. */
    record Commanded(long tNs, String name, JsonNode arguments, int length) implements Input {
        @Override
        public void into(Model model) {
            var unused = model.command(tNs, name, arguments);
            model.taken();
        }

        @Override
        public int bytes() {
            return 256 + 4 * length;
        }
    }

    /** Time. */
    record Advanced(long tNs) implements Input {
        @Override
        public void into(Model model) {
            model.advance(tNs);
            model.taken();
        }

        @Override
        public int bytes() {
            return 32;
        }
    }

    /** A choice. */
    record Chosen(long tNs, int point, long value, int connection, int path) implements Input {
        @Override
        public void into(Model model) {
            model.choose(tNs, point, value, connection, path);
            model.taken();
        }

        @Override
        public int bytes() {
            return 64;
        }
    }

    /** An input that was refused: what was due before it has run, as far as there was room, and nobody has taken it. */
    record CaughtUp(long tNs) implements Input {
        @Override
        public void into(Model model) {
            model.caughtUp(tNs);
        }

        @Override
        public int bytes() {
            return 32;
        }
    }
}
