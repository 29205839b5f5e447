package org.sluiceca.client.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class CsvTest {
  private static final Csv SUBJECT = new Csv("subject");

  static Stream<Arguments> cells() {
    return Stream.of(
        Arguments.of("", ""),
        Arguments.of("CN=www.example.com", "CN=www.example.com"),
        Arguments.of("CN=a,O=b", "\"CN=a,O=b\""),
        Arguments.of("CN=\"a\"", "\"CN=\"\"a\"\"\""),
        Arguments.of("CN=a b", "\"CN=a b\""),
        Arguments.of("CN=\u00fc", "CN=\u00fc"),
        // Formulas, also where another separator or a blank would hide the beginning.
        Arguments.of("=1+1", "'=1+1"),
        Arguments.of("+1", "'+1"),
        Arguments.of("-1", "'-1"),
        Arguments.of("@SUM(A1)", "'@SUM(A1)"),
        Arguments.of(
            "=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
        Arguments.of("\t=1", "?=1"),
        Arguments.of("\tx", "?x"),
        Arguments.of("\r=1", "?=1"),
        Arguments.of(" =1", "\"' =1\""),
        Arguments.of("\u00a0=1", "\"'\u00a0=1\""),
        Arguments.of("\u202e=1", "?=1"),
        Arguments.of("\uff1d1", "'\uff1d1"),
        Arguments.of("a;=1", "\"a;=1\""),
        // No record has a second line, and no terminal is steered.
        Arguments.of("a\r\nb", "a??b"),
        Arguments.of("a\u001b]0;x\u0007", "\"a?]0;x?\""));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void record_ofOneCell_quotedAndNoFormula(String text, String cell) {
    ObjectNode object = JsonNodeFactory.instance.objectNode().put("subject", text);

    assertThat(SUBJECT.record(object)).isEqualTo(cell + "\r\n");
  }

  @Test
  void record_arraysNumbersAndGaps_oneCellEach() {
    Csv csv = new Csv("serial", "names", "count", "reason", "revoked");

    assertThat(csv.header()).isEqualTo("serial,names,count,reason,revoked\r\n");
    assertThat(
            csv.record(
                JsonMapper.shared()
                    .readTree(
                        "{\"count\":3,\"names\":[\"a.example\",\"-b\"],\"serial\":\"2a\","
                            + "\"reason\":null,\"other\":1}")))
        .isEqualTo("2a,\"a.example -b\",3,,\r\n");
  }
}
