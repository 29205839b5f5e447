package org.sluiceca.client.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineDiffTest {

  @Test
  void of_same_nothing() {
    assertThat(LineDiff.of(lines("a b"), lines("a b"))).isEmpty();
  }

  @Test
  void of_changes_asDiffDoes() {
    List<String> before = lines("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20");
    List<String> after = lines("1 2 3 4 x 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 y");

    assertThat(LineDiff.of(before, after))
        .containsExactly(
            "@@ -2,7 +2,7 @@",
            " 2",
            " 3",
            " 4",
            "-5",
            "+x",
            " 6",
            " 7",
            " 8",
            "@@ -18,3 +18,4 @@",
            " 18",
            " 19",
            " 20",
            "+y");
  }

  @Test
  void of_fromNothing_emptyRangeNamesTheLineBefore() {
    assertThat(LineDiff.of(List.of(), lines("a"))).containsExactly("@@ -0,0 +1,1 @@", "+a");
    assertThat(LineDiff.of(lines("a"), List.of())).containsExactly("@@ -1,1 +0,0 @@", "-a");
  }

  @Test
  void of_anyTwo_hunksLeadFromOneToTheOther() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      List<String> before = random(random, 40);
      List<String> after = new ArrayList<>(before);
      for (int i = random.nextInt(6); i > 0; i--) {
        int at = random.nextInt(after.size() + 1);
        if (random.nextBoolean() || at == after.size()) {
          after.add(at, "n" + random.nextInt(4));
        } else {
          after.remove(at);
        }
      }

      assertThat(applied(before, LineDiff.of(before, after))).as("seed %d", seed).isEqualTo(after);
    }
  }

  @Test
  void of_tooManyLinesToCompare_replacedAsAWhole() {
    List<String> before = random(new Random(1), 20_000);
    List<String> after = new ArrayList<>(before);
    after.add(0, "first");
    after.add("last");

    assertThat(applied(before, LineDiff.of(before, after))).isEqualTo(after);
  }

  private static List<String> random(Random random, int lines) {
    List<String> list = new ArrayList<>();
    for (int i = 0; i < lines; i++) {
      list.add("l" + random.nextInt(8));
    }
    return list;
  }

  /** Does what patch does, by line numbers alone. */
  private static List<String> applied(List<String> before, List<String> hunks) {
    List<String> result = new ArrayList<>();
    int at = 0;
    for (String line : hunks) {
      if (line.startsWith("@@ -")) {
        String[] range = line.substring(4, line.indexOf(' ', 4)).split(",", 2);
        int start = Integer.parseInt(range[0]) - (range[1].equals("0") ? 0 : 1);
        result.addAll(before.subList(at, start));
        at = start;
        continue;
      }
      if (line.charAt(0) != '+') {
        assertThat(before.get(at++)).isEqualTo(line.substring(1));
      }
      if (line.charAt(0) != '-') {
        result.add(line.substring(1));
      }
    }
    result.addAll(before.subList(at, before.size()));
    return result;
  }

  private static List<String> lines(String words) {
    return List.of(words.split(" "));
  }
}
