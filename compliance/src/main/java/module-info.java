/**
 * The compliance suite and the behavioural model. Planned; nothing is built here yet, so the module is empty. What it
 * will contain stands in {@code docs/architecture.md}.
 */
module io.metaroce.compliance {}
