package io.metaroce.sim;

import java.util.Locale;

/** The words of one line, read one after the other. What cannot be read is an {@link IllegalArgumentException}. */
public final class Words {
    private final String[] words;
    private int at;

    /** Words with white space between them. */
    public Words(String line) {
        words = line.split("\\s+", -1);
    }

    /** Whether a word is left. */
    public boolean hasNext() {
        return at < words.length;
    }

    /** The next word. */
    public String next() {
        if (!hasNext()) {
            throw new IllegalArgumentException("the line ends too early");
        }
        return words[at++];
    }

    /** Takes the next word if it is {@code word}; answers whether it was. */
    public boolean take(String word) {
        boolean isHere = hasNext() && words[at].equals(word);
        at += isHere ? 1 : 0;
        return isHere;
    }

    /** The next word must be {@code word}. */
    public void expect(String word) {
        if (!take(word)) {
            at++;
            throw unexpected(word);
        }
    }

    /** The next word must be one of two; answers whether it is the first. */
    public boolean either(String yes, String no) {
        if (take(yes)) {
            return true;
        }
        expect(no);
        return false;
    }

    /** The next word as a number that is not negative. */
    public long number() {
        String word = next();
        if (!word.matches("\\d{1,15}")) {
            throw new IllegalArgumentException(word + " is not a number");
        }
        return Long.parseLong(word);
    }

    /** The next word as a number of 64 bits with its sign. */
    public long signed() {
        return Long.parseLong(next());
    }

    /** The next word as a number of 32 bits with its sign. */
    public int integer() {
        return Integer.parseInt(next());
    }

    /** The next word as a constant of {@code type}, in lower case. */
    public <E extends Enum<E>> E constant(Class<E> type) {
        return Enum.valueOf(type, next().toUpperCase(Locale.ROOT));
    }

    /** Nothing may be left. */
    public void end() {
        if (hasNext()) {
            throw new IllegalArgumentException("nothing more is understood from \"" + words[at] + "\" on");
        }
    }

    /** What to say when another word was wanted than the one read last. */
    public IllegalArgumentException unexpected(String wanted) {
        String word = at <= words.length ? words[at - 1] : "the end";
        return new IllegalArgumentException(String.format(Locale.ROOT, "expected %s where %s stands", wanted, word));
    }
}
