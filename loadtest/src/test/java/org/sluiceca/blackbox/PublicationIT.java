package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is public leaves whole, whatever a client has of it already (RFC 9110 13 and 14). */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class PublicationIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static Api plain() {
    return Api.plain(TRIAL.trial().plain(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/crl/root.crl", "/issuers/issuing.cer", "/crl/issuing.crl"})
  void range_anyForm_wholeAnswerAndNoneAnnounced(String path) {
    Answer whole = plain().get(path).is(200);
    assertThat(whole.header("Accept-Ranges")).isEmpty();

    for (String range : List.of("bytes=0-9", "bytes=10-", "bytes=-5", "octets=0-5", "bytes=9-1")) {
      for (Api client :
          List.of(
              plain().with("Range", range),
              plain().with("Range", range, "If-Range", whole.header("ETag")),
              plain().with("Range", range, "If-Range", "\"another\""))) {
        Answer answer = client.get(path).is(200);
        assertThat(answer.header("Content-Range")).isEmpty();
        assertThat(answer.header("Content-Length")).isEqualTo("" + answer.body().length);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/crl/root.crl", "/issuers/issuing.cer"})
  void preconditions_inTheOrderOfTheStandard(String path) {
    Answer whole = plain().get(path).is(200);
    String tag = whole.header("ETag");

    for (String field : List.of(tag, "W/" + tag, "*", "\"a\", " + tag)) {
      Answer answer = plain().with("If-None-Match", field).get(path).is(304);
      assertThat(answer.body()).isEmpty();
      assertThat(answer.header("ETag")).isEqualTo(tag);
      assertThat(answer.header("Cache-Control")).isEqualTo(whole.header("Cache-Control"));
    }
    plain().with("If-None-Match", "\"a\"").get(path).is(200);
    plain().with("If-Match", "\"a\"").get(path).isProblem(412, "/precondition-failed");
    plain().with("If-Match", tag, "If-None-Match", tag).get(path).is(304);
    plain()
        .with("If-None-Match", "\"a\"", "If-Modified-Since", "Fri, 31 Dec 2100 00:00:00 GMT")
        .get(path)
        .is(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/crl/root.crl", "/issuers/issuing.cer"})
  void head_asGetWithoutContent(String path) {
    Answer get = plain().get(path).is(200);
    Answer head =
        plain().send("HEAD", path, java.net.http.HttpRequest.BodyPublishers.noBody()).is(200);

    assertThat(head.body()).isEmpty();
    for (String name : List.of("ETag", "Last-Modified", "Content-Type", "Content-Length")) {
      assertThat(head.header(name)).as(name).isEqualTo(get.header(name));
    }
  }

  @Test
  void query_onPlainPaths_ignored() {
    plain().get("/crl/root.crl?cache=1&cache=2").is(200);
    plain().get("/issuers/issuing.cer?x").is(200);
  }
}
