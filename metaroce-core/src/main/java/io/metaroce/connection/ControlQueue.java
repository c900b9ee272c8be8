package io.metaroce.connection;

import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Small reports waiting to be written: refusals, questions about streams, answers to them. Bounded: what does not fit
 * is dropped, since every one of them is repeated or repaired by something else.
 */
final class ControlQueue {
    private static final int ENTRIES_MAX = 64;

    // Most connections never need any.
    private @Nullable ArrayDeque<ConnectionPort.Refusal> refusals;
    private @Nullable ArrayDeque<Integer> questions;
    private @Nullable ArrayDeque<Integer> answers;

    void refuse(ConnectionPort.Refusal refusal) {
        if (refusals == null) {
            refusals = new ArrayDeque<>();
        }
        if (refusals.size() < ENTRIES_MAX) {
            refusals.add(refusal);
        }
    }

    void ask(int streamId) {
        questions = with(questions, streamId);
    }

    void answer(int streamId) {
        answers = with(answers, streamId);
    }

    boolean isEmpty() {
        return (refusals == null || refusals.isEmpty()) && questions() == 0 && answers() == 0;
    }

    ConnectionPort.@Nullable Refusal nextRefusal() {
        return refusals == null ? null : refusals.poll();
    }

    /** Questions that wait. */
    int questions() {
        return questions == null ? 0 : questions.size();
    }

    /** The stream of the first question, of which there is one. */
    int nextQuestion() {
        return Objects.requireNonNull(questions, "there are no questions").remove();
    }

    /** Answers that wait. */
    int answers() {
        return answers == null ? 0 : answers.size();
    }

    /** The stream of the first answer, of which there is one. */
    int nextAnswer() {
        return Objects.requireNonNull(answers, "there are no answers").remove();
    }

    private static ArrayDeque<Integer> with(@Nullable ArrayDeque<Integer> before, int streamId) {
        ArrayDeque<Integer> queue = before == null ? new ArrayDeque<>() : before;
        if (queue.size() < ENTRIES_MAX && !queue.contains(streamId)) {
            queue.add(streamId);
        }
        return queue;
    }
}
