package org.sluiceca.core.naming;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/** Parses the patterns of {@link NamePattern} into automata. Used once a pattern, at start. */
final class PatternParser {

  /** What an operator can still read in one line. */
  static final int LENGTH_MAX = 200;

  /** Enough for a host name of four labels of up to 63; bounds the work of one character. */
  static final int STATES_MAX = 500;

  /** A recursive descent needs a bound of its own. */
  private static final int DEPTH_MAX = 20;

  private static final int UNBOUNDED = -1;

  /** Characters that mean something else unless escaped. */
  private static final String SPECIAL = "\\^$.|?*+()[]{}";

  /** An inclusive range of code points. */
  private record Range(int first, int last) {}

  /** Code points: those of the ranges, or all others. */
  record CharacterClass(List<Range> ranges, boolean isNegated) {
    boolean contains(int codePoint) {
      for (Range range : ranges) {
        if (codePoint >= range.first && codePoint <= range.last) {
          return !isNegated;
        }
      }
      return isNegated;
    }
  }

  private sealed interface Node {
    record One(CharacterClass characters) implements Node {}

    record Sequence(List<Node> nodes) implements Node {}

    record Choice(List<Node> nodes) implements Node {}

    record Repeat(Node node, int least, int most) implements Node {}
  }

  private static final CharacterClass ANY = new CharacterClass(List.of(), true);
  private static final CharacterClass DIGIT =
      new CharacterClass(List.of(new Range('0', '9')), false);
  private static final CharacterClass WORD =
      new CharacterClass(
          List.of(
              new Range('a', 'z'), new Range('A', 'Z'), new Range('0', '9'), new Range('_', '_')),
          false);

  /**
   * States by number; a state either consumes a character of its class and goes on to the next
   * number's state, or goes on to others at once.
   */
  static final class Automaton {

    private final List<State> states = new ArrayList<>();
    private BitSet initial = new BitSet();
    private int accepting;

    private static final class State {
      private final CharacterClass consumes;
      private final int[] next;
      private final boolean isConsuming;

      State(CharacterClass consumes, int[] next, boolean isConsuming) {
        this.consumes = consumes;
        this.next = next;
        this.isConsuming = isConsuming;
      }
    }

    private int add(State state) {
      if (states.size() >= STATES_MAX) {
        throw new IllegalArgumentException("pattern of more than " + STATES_MAX + " states");
      }
      states.add(state);
      return states.size() - 1;
    }

    BitSet start() {
      return (BitSet) initial.clone();
    }

    BitSet step(BitSet from, int codePoint) {
      BitSet reached = new BitSet(states.size());
      for (int s = from.nextSetBit(0); s >= 0; s = from.nextSetBit(s + 1)) {
        State state = states.get(s);
        if (state.isConsuming && state.consumes.contains(codePoint)) {
          close(reached, state.next[0]);
        }
      }
      return reached;
    }

    boolean isAccepting(BitSet at) {
      return at.get(accepting);
    }

    /** Adds a state and all that it leads to without a character. */
    private void close(BitSet reached, int first) {
      Deque<Integer> open = new ArrayDeque<>();
      open.push(first);
      while (!open.isEmpty()) {
        int s = open.pop();
        if (!reached.get(s)) {
          reached.set(s);
          State state = states.get(s);
          if (!state.isConsuming) {
            for (int next : state.next) {
              open.push(next);
            }
          }
        }
      }
    }
  }

  private final String text;
  private int at;
  private int depth;

  private PatternParser(String text) {
    this.text = text;
  }

  static Automaton parse(String text) {
    if (text.isEmpty() || text.length() > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "pattern of %d characters, allowed 1 to %d".formatted(text.length(), LENGTH_MAX));
    }
    PatternParser parser = new PatternParser(text);
    Node root = parser.choice();
    if (parser.at < text.length()) {
      throw parser.fault("unexpected ')'");
    }
    Automaton automaton = new Automaton();
    automaton.accepting = automaton.add(new Automaton.State(ANY, new int[0], false));
    int first = compile(automaton, root, automaton.accepting);
    automaton.close(automaton.initial, first);
    return automaton;
  }

  private Node choice() {
    if (++depth > DEPTH_MAX) {
      throw fault("groups nested deeper than " + DEPTH_MAX);
    }
    List<Node> choices = new ArrayList<>(List.of(sequence()));
    while (at < text.length() && text.charAt(at) == '|') {
      at++;
      choices.add(sequence());
    }
    depth--;
    return new Node.Choice(choices);
  }

  private Node sequence() {
    List<Node> nodes = new ArrayList<>();
    while (at < text.length() && text.charAt(at) != '|' && text.charAt(at) != ')') {
      nodes.add(repeated(atom()));
    }
    return new Node.Sequence(nodes);
  }

  private Node repeated(Node node) {
    if (at >= text.length()) {
      return node;
    }
    return switch (text.charAt(at)) {
      case '*' -> repeat(node, 0, UNBOUNDED);
      case '+' -> repeat(node, 1, UNBOUNDED);
      case '?' -> repeat(node, 0, 1);
      case '{' -> counted(node);
      default -> node;
    };
  }

  private Node repeat(Node node, int least, int most) {
    at++;
    return repetition(node, least, most);
  }

  private Node repetition(Node node, int least, int most) {
    if (at < text.length() && "*+?{".indexOf(text.charAt(at)) >= 0) {
      throw fault("two repetitions in a row");
    }
    return new Node.Repeat(node, least, most);
  }

  private Node counted(Node node) {
    int end = text.indexOf('}', at);
    String counts = end < 0 ? "" : text.substring(at + 1, end);
    if (!counts.matches("[0-9]{1,3}(?:,[0-9]{0,3})?")) {
      throw fault("a repetition is {m}, {m,} or {m,n}");
    }
    int comma = counts.indexOf(',');
    int least = Integer.parseInt(comma < 0 ? counts : counts.substring(0, comma));
    int most;
    if (comma < 0) {
      most = least;
    } else if (comma == counts.length() - 1) {
      most = UNBOUNDED;
    } else {
      most = Integer.parseInt(counts.substring(comma + 1));
    }
    if (most != UNBOUNDED && (most < least || most == 0)) {
      throw fault("a repetition with less most than least, or none");
    }
    at = end + 1;
    return repetition(node, least, most);
  }

  private Node atom() {
    char c = text.charAt(at);
    return switch (c) {
      case '(' -> group();
      case '[' -> new Node.One(bracket());
      case '.' -> {
        at++;
        yield new Node.One(ANY);
      }
      case '\\' -> new Node.One(escape());
      case '^', '$', '*', '+', '?', '{', '}', ']' ->
          throw fault("'%c' must be escaped; a pattern is always anchored".formatted(c));
      default -> new Node.One(single(next()));
    };
  }

  private Node group() {
    at++;
    if (at < text.length() && text.charAt(at) == '?') {
      throw fault("groups have no options");
    }
    Node inner = choice();
    if (at >= text.length()) {
      throw fault("a group is not closed");
    }
    at++;
    return inner;
  }

  private CharacterClass escape() {
    at++;
    if (at >= text.length()) {
      throw fault("nothing behind the last '\\'");
    }
    int c = next();
    return switch (c) {
      case 'd' -> DIGIT;
      case 'w' -> WORD;
      default -> {
        if (SPECIAL.indexOf(c) < 0 && c != '-') {
          throw fault("unknown escape");
        }
        yield single(c);
      }
    };
  }

  private CharacterClass bracket() {
    at++;
    boolean isNegated = at < text.length() && text.charAt(at) == '^';
    if (isNegated) {
      at++;
    }
    List<Range> ranges = new ArrayList<>();
    while (at < text.length() && text.charAt(at) != ']') {
      if (text.charAt(at) == '[') {
        throw fault("'[' in a class must be escaped");
      }
      if (text.charAt(at) == '\\') {
        CharacterClass escaped = escape();
        ranges.addAll(escaped.ranges);
        continue;
      }
      int first = next();
      boolean isRange =
          at + 1 < text.length() && text.charAt(at) == '-' && text.charAt(at + 1) != ']';
      if (!isRange) {
        ranges.add(new Range(first, first));
        continue;
      }
      at++;
      int last = next();
      if (last < first || last == '\\' || last == '[') {
        throw fault("a range that ends before it begins");
      }
      ranges.add(new Range(first, last));
    }
    if (at >= text.length() || ranges.isEmpty()) {
      throw fault("a class is empty or not closed");
    }
    at++;
    return new CharacterClass(List.copyOf(ranges), isNegated);
  }

  private int next() {
    int codePoint = text.codePointAt(at);
    at += Character.charCount(codePoint);
    return codePoint;
  }

  private static CharacterClass single(int codePoint) {
    return new CharacterClass(List.of(new Range(codePoint, codePoint)), false);
  }

  /** Adds the states of {@code node}, which lead to {@code next}; returns the first of them. */
  private static int compile(Automaton automaton, Node node, int next) {
    return switch (node) {
      case Node.One(CharacterClass characters) ->
          automaton.add(new Automaton.State(characters, new int[] {next}, true));
      case Node.Sequence(List<Node> nodes) -> {
        int first = next;
        for (Node part : nodes.reversed()) {
          first = compile(automaton, part, first);
        }
        yield first;
      }
      case Node.Choice(List<Node> nodes) -> {
        if (nodes.size() == 1) {
          yield compile(automaton, nodes.getFirst(), next);
        }
        int[] firsts = new int[nodes.size()];
        for (int i = 0; i < firsts.length; i++) {
          firsts[i] = compile(automaton, nodes.get(i), next);
        }
        yield automaton.add(new Automaton.State(ANY, firsts, false));
      }
      case Node.Repeat(Node inner, int least, int most) -> {
        int first = next;
        if (most == UNBOUNDED) {
          int[] ways = {next, next};
          first = automaton.add(new Automaton.State(ANY, ways, false));
          ways[1] = compile(automaton, inner, first);
        } else {
          for (int i = least; i < most; i++) {
            first =
                automaton.add(
                    new Automaton.State(
                        ANY, new int[] {next, compile(automaton, inner, first)}, false));
          }
        }
        for (int i = 0; i < least; i++) {
          int before = automaton.states.size();
          first = compile(automaton, inner, first);
          if (automaton.states.size() == before) {
            break; // Nothing, repeated, is nothing: the count must not cost anything.
          }
        }
        yield first;
      }
    };
  }

  private IllegalArgumentException fault(String what) {
    return new IllegalArgumentException(
        "pattern %s: %s, at character %d".formatted(text, what, at + 1));
  }
}
