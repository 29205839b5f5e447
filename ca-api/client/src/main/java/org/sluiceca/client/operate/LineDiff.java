package org.sluiceca.client.operate;

import java.util.ArrayList;
import java.util.List;

/**
 * What leads from one text to another, by the longest common subsequence of their lines, in the
 * unified format of diff -u with {@value #CONTEXT} lines of context. Texts that differ in more than
 * two thousand lines or so are shown as replaced from the first difference to the last. Pure.
 */
final class LineDiff {
  private static final int CONTEXT = 3;

  /** 16 MB of lengths. */
  private static final int CELLS_MAX = 4_000_000;

  private final List<String> before;
  private final List<String> after;
  private final List<Edit> edits = new ArrayList<>();

  /** A line of the comparison; its mark is a blank, a minus or a plus. */
  private record Edit(char mark, String line) {}

  private LineDiff(List<String> before, List<String> after) {
    this.before = before;
    this.after = after;
  }

  /** The hunks, each with its heading; none if the texts are the same. */
  static List<String> of(List<String> before, List<String> after) {
    LineDiff diff = new LineDiff(before, after);
    diff.compare();
    return diff.hunks();
  }

  private void compare() {
    int start = 0;
    int shorter = Math.min(before.size(), after.size());
    while (start < shorter && before.get(start).equals(after.get(start))) {
      start++;
    }
    int tail = 0;
    while (tail < shorter - start && fromEnd(before, tail).equals(fromEnd(after, tail))) {
      tail++;
    }
    before.subList(0, start).forEach(line -> edits.add(new Edit(' ', line)));
    middle(before.subList(start, before.size() - tail), after.subList(start, after.size() - tail));
    before
        .subList(before.size() - tail, before.size())
        .forEach(line -> edits.add(new Edit(' ', line)));
  }

  private static String fromEnd(List<String> lines, int index) {
    return lines.get(lines.size() - 1 - index);
  }

  private void middle(List<String> old, List<String> fresh) {
    int i = 0;
    int j = 0;
    if ((old.size() + 1L) * (fresh.size() + 1L) <= CELLS_MAX) {
      int[][] common = common(old, fresh);
      while (i < old.size() && j < fresh.size()) {
        if (old.get(i).equals(fresh.get(j))) {
          edits.add(new Edit(' ', old.get(i++)));
          j++;
        } else if (common[i + 1][j] >= common[i][j + 1]) {
          edits.add(new Edit('-', old.get(i++)));
        } else {
          edits.add(new Edit('+', fresh.get(j++)));
        }
      }
    }
    old.subList(i, old.size()).forEach(line -> edits.add(new Edit('-', line)));
    fresh.subList(j, fresh.size()).forEach(line -> edits.add(new Edit('+', line)));
  }

  /** How many lines the two have in common from each pair of lines on. */
  private static int[][] common(List<String> old, List<String> fresh) {
    int[][] common = new int[old.size() + 1][fresh.size() + 1];
    for (int i = old.size() - 1; i >= 0; i--) {
      for (int j = fresh.size() - 1; j >= 0; j--) {
        common[i][j] =
            old.get(i).equals(fresh.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    return common;
  }

  private List<String> hunks() {
    List<String> lines = new ArrayList<>();
    int shown = 0;
    int oldLines = 0;
    int newLines = 0;
    for (int first = change(0); first < edits.size(); first = change(shown)) {
      int from = Math.max(shown, first - CONTEXT);
      int to = end(first);
      List<Edit> hunk = edits.subList(from, to);
      // What was left out is the same in both.
      oldLines += from - shown;
      newLines += from - shown;
      int inOld = hunk.size() - count(hunk, '+');
      int inNew = hunk.size() - count(hunk, '-');
      lines.add("@@ -" + range(oldLines, inOld) + " +" + range(newLines, inNew) + " @@");
      hunk.forEach(edit -> lines.add(edit.mark() + edit.line()));
      oldLines += inOld;
      newLines += inNew;
      shown = to;
    }
    return lines;
  }

  /** The first change from an index on; the number of edits if there is none. */
  private int change(int from) {
    int i = from;
    while (i < edits.size() && edits.get(i).mark() == ' ') {
      i++;
    }
    return i;
  }

  /** The end of the hunk whose first change this is: changes with little between them are one. */
  private int end(int first) {
    int end = first + 1;
    for (int i = first; i < edits.size() && i <= end + 2 * CONTEXT; i++) {
      if (edits.get(i).mark() != ' ') {
        end = i + 1;
      }
    }
    return Math.min(edits.size(), end + CONTEXT);
  }

  private static int count(List<Edit> hunk, char mark) {
    return (int) hunk.stream().filter(edit -> edit.mark() == mark).count();
  }

  /** As diff -u counts: an empty range names the line before it. */
  private static String range(int before, int lines) {
    return (lines == 0 ? before : before + 1) + "," + lines;
  }
}
