package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A browser without scripts that has signed in to the console by a token. */
final class ConsoleBrowser {

  private static final String FORM = "application/x-www-form-urlencoded";
  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([\\w-]+)\"");

  private final Api api;
  private final String csrf;

  private ConsoleBrowser(Api api) {
    this.api = api;
    this.csrf = field(api.get("/console/account").is(200), CSRF);
  }

  /** Signs in. */
  static ConsoleBrowser signedIn(Api any, String token) {
    Api anonymous = any.anonymous();
    Answer page = anonymous.get("/console/sign-in").is(200);
    Answer answer =
        anonymous
            .with("Cookie", cookie(page, "__Host-sluice-sign-in"))
            .post(
                "/console/sign-in",
                FORM,
                Api.ascii(encoded(Map.of("csrf", field(page, CSRF), "token", token))))
            .is(303);
    return new ConsoleBrowser(anonymous.with("Cookie", cookie(answer, "__Host-sluice-console")));
  }

  private static String cookie(Answer answer, String name) {
    List<String> set =
        answer.headers("Set-Cookie").stream()
            .filter(header -> header.startsWith(name + "=") && !header.contains("Max-Age=0"))
            .map(header -> header.split(";", 2)[0])
            .toList();
    assertThat(set).hasSize(1);
    return set.getFirst();
  }

  /** Returns the first group of a pattern on a page. */
  static String field(Answer page, Pattern pattern) {
    Matcher matcher = pattern.matcher(page.text());
    assertThat(matcher.find()).as(pattern.pattern() + " in " + page.text()).isTrue();
    return matcher.group(1);
  }

  static String encoded(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(f -> f.getKey() + "=" + URLEncoder.encode(f.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
  }

  Answer get(String path) {
    return api.get(path);
  }

  /** Sends a form as a page of this session would. */
  Answer post(String path, Map<String, String> fields) {
    String more = encoded(fields);
    return api.post(path, FORM, Api.ascii("csrf=" + csrf + (more.isEmpty() ? "" : "&" + more)));
  }

  /** Sends a form as another site would. */
  Answer postForged(String path, Map<String, String> fields) {
    return api.post(path, FORM, Api.ascii(encoded(fields)));
  }
}
