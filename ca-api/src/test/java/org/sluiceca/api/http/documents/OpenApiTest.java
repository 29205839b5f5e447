package org.sluiceca.api.http.documents;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.audit.ExportForm;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.core.type.filter.AssignableTypeFilter;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Holds openapi.json and what answers requests to each other. */
class OpenApiTest {

  private static final String ROOT = "org.sluiceca.api";
  private static final Set<RequestMethod> WITH_BODY =
      Set.of(RequestMethod.POST, RequestMethod.PUT, RequestMethod.PATCH);

  /** Forms send application/x-www-form-urlencoded, multipart/form-data and text/plain. */
  private static final Set<String> NOT_OF_FORMS =
      Set.of(
          "application/json",
          "application/pkcs10",
          "application/x-ndjson",
          "application/yaml",
          "application/jose+json");

  /** Described by RFC 8555, whose objects are signed: no client is generated for it. */
  private static final String ACME = ".acme.AcmeController";

  private static final String PROBLEMS = "/problems/";

  /** The routes of filters that answer by themselves; the others pass on or refuse. */
  private static final Map<String, Set<String>> FILTERS =
      Map.of(
          "http.access.AccessFilter", Set.of(),
          "ocsp.OcspEndpoint", Set.of("POST /ocsp", "GET /ocsp/{request}"),
          "http.edge.PlainPort", Set.of(),
          "http.edge.RequestId", Set.of(),
          "http.edge.BodyLimit", Set.of(),
          "http.edge.DrainFilter", Set.of(),
          "auth.AuthenticationFilter", Set.of(),
          "http.VersionFilter", Set.of(),
          "observe.trace.RequestSpans", Set.of());

  /** Answer with pages, which the document does not describe. */
  private static final Set<String> OF_THE_CONSOLE =
      Set.of("console.ConsoleHeaders", "console.SessionFilter");

  @Test
  void document_namesExactlyTheRoutesOfControllersAndFilters() throws Exception {
    Set<String> served = mapped();
    FILTERS.values().forEach(served::addAll);

    assertThat(documented(operation -> true)).isEqualTo(served);
  }

  /** A new one must say what it answers. */
  @Test
  void filters_areTheseAndNoOther() {
    var scanner = new ClassPathScanningCandidateComponentProvider(false);
    scanner.addIncludeFilter(new AssignableTypeFilter(Filter.class));

    assertThat(scanner.findCandidateComponents(ROOT))
        .extracting(found -> String.valueOf(found.getBeanClassName()))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(FILTERS.keySet().stream(), OF_THE_CONSOLE.stream())
                .map(name -> ROOT + "." + name)
                .toList());
  }

  @Test
  void document_resolvesItsReferences() throws Exception {
    JsonNode document = document();

    assertThat(document.findValuesAsString("$ref"))
        .isNotEmpty()
        .allSatisfy(
            ref ->
                assertThat(document.at(ref.substring(1)).isMissingNode())
                    .as("missing %s", ref)
                    .isFalse());
  }

  /** Without a security of its own, an operation asks for what the document asks for. */
  @Test
  void document_asksForCredentialsUnlessAnOperationSaysOtherwise() throws Exception {
    assertThat(document().path("security")).hasSize(2);
    assertThat(documented(o -> o.has("security") && o.path("security").isEmpty()))
        .containsExactlyInAnyOrder(
            "GET /v1/issuers",
            "GET /v1/issuers/{name}",
            "GET /v1/issuers/{name}/chain.pem",
            "GET /issuers/{name}.cer",
            "GET /crl/{issuer}.crl",
            "GET /crl/{issuer}/{shard}.crl",
            "GET /crl/{issuer}/delta.crl",
            "GET /crl/{issuer}/{shard}-delta.crl",
            "POST /ocsp",
            "GET /ocsp/{request}",
            "GET /v1/profiles",
            "GET /problems/{name}",
            "GET /v3/api-docs");
  }

  @Test
  void document_namesExactlyTheProblemTypesThatAreServed() throws Exception {
    Set<String> documented = new TreeSet<>();
    document()
        .at("/paths/~1problems~1{name}/get/parameters/0/schema/enum")
        .valueStream()
        .forEach(name -> documented.add(name.asString()));

    assertThat(documented)
        .isEqualTo(
            Stream.of(ProblemType.values())
                .map(ProblemType::uri)
                .filter(uri -> uri.startsWith(PROBLEMS))
                .map(uri -> uri.substring(PROBLEMS.length()))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void document_namesExactlyTheKindsOfTheAuditTrail() throws Exception {
    Set<String> documented = new TreeSet<>();
    document()
        .at("/paths/~1v1~1audit/get/parameters")
        .valueStream()
        .filter(parameter -> parameter.path("name").asString().equals("kind"))
        .forEach(
            kind ->
                kind.at("/schema/items/enum")
                    .valueStream()
                    .forEach(name -> documented.add(name.asString())));

    assertThat(documented)
        .isEqualTo(
            Stream.concat(
                    Stream.of(AuditKind.values()).map(AuditKind::text),
                    Stream.of(ExportForm.CHECKPOINT))
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  /**
   * What another site's form has a browser send goes out with its user's client certificate, and
   * has one of three content types; others, and PUT and DELETE, need a preflight, which nothing
   * here allows.
   */
  @Test
  void acts_needAContentTypeThatNoFormCanSend() throws Exception {
    List<RequestMapping> acts =
        mappings().stream()
            .filter(mapping -> Stream.of(mapping.method()).anyMatch(WITH_BODY::contains))
            .toList();

    assertThat(acts)
        .hasSizeGreaterThan(10)
        .allSatisfy(
            mapping ->
                assertThat(mapping.consumes())
                    .as("what %s consumes", mapping.path()[0])
                    .isNotEmpty()
                    .isSubsetOf(NOT_OF_FORMS));
  }

  /** ExamplesIT, a black-box test, sends them and compares what comes back. */
  @Test
  void document_hasExamplesOfEveryRequestAndEveryJsonAnswerOfSuccess() throws Exception {
    assertThat(withoutExample(document())).isEmpty();
  }

  @Test
  void withoutExample_planted_found() throws Exception {
    JsonNode document = document();
    for (String place :
        List.of(
            "/paths/~1v1~1orders~1{id}/get/parameters/0",
            "/components/parameters/Serial",
            "/paths/~1v1~1certificates/post/requestBody/content/application~1pkcs10",
            "/components/responses/PendingOrder/content/application~1json")) {
      ((ObjectNode) document.at(place)).remove(List.of("example", "examples"));
    }

    assertThat(withoutExample(document))
        .contains("getOrder id", "enroll application/pkcs10", "enroll 202", "renew 202")
        .hasSize(8)
        .filteredOn(fault -> fault.endsWith(" serial"))
        .hasSize(4);
  }

  /** Generated clients: {@code deploy/openapi/test/run.sh} compiles and runs four, nightly. */
  @Test
  void document_hasNothingThatGeneratorsMistake() throws Exception {
    assertThat(mistakable(document())).isEmpty();
  }

  @Test
  void mistakable_planted_found() throws Exception {
    JsonNode document = document();
    JsonNode schemas = document.at("/components/schemas");
    ((ObjectNode) schemas.path("BulkSelection")).putArray("anyOf").addObject();
    ((ObjectNode) schemas.at("/Order/properties/status")).remove("type");
    ((ObjectNode) document.at("/paths/~1ocsp/post/requestBody/content"))
        .withObject("/application~1ocsp-request/schema")
        .put("maxLength", 1);

    assertThat(mistakable(document))
        .containsExactlyInAnyOrder(
            "alternatives next to the members of requester, profile, issuer, issuedAfter,"
                + " issuedBefore",
            "no type next to [\"pending\",\"issued\",\"failed\"]",
            "a length in characters of octets: 1");
  }

  /**
   * Go compares the length of a file with maxLength as if it were text. Go, Python and Java make a
   * class of each alternative, with its members alone: those next to them are lost, and a bulk
   * revocation would forget its bounds.
   */
  private static List<String> mistakable(JsonNode node) {
    List<String> found = new ArrayList<>();
    if (node.path("format").asString("").equals("binary") && node.has("maxLength")) {
      found.add("a length in characters of octets: " + node.path("maxLength"));
    }
    if (node.path("enum").isArray() && !node.has("type")) {
      found.add("no type next to " + node.path("enum"));
    }
    if (node.path("properties").isObject() && (node.has("anyOf") || node.has("oneOf"))) {
      found.add(
          "alternatives next to the members of "
              + String.join(", ", node.path("properties").propertyNames()));
    }
    for (JsonNode child : node) {
      found.addAll(mistakable(child));
    }
    return found;
  }

  private static List<String> withoutExample(JsonNode document) {
    List<String> without = new ArrayList<>();
    for (JsonNode path : document.get("paths")) {
      for (JsonNode operation : path) {
        String id = operation.path("operationId").asString("") + " ";
        for (JsonNode given : operation.path("parameters")) {
          JsonNode parameter = resolved(given, document);
          if (parameter.path("required").asBoolean(false) && !hasExample(parameter)) {
            without.add(id + parameter.path("name").asString(""));
          }
        }
        for (var body :
            resolved(operation.path("requestBody"), document).path("content").properties()) {
          if (!hasExample(body.getValue())) {
            without.add(id + body.getKey());
          }
        }
        for (var answer : operation.path("responses").properties()) {
          JsonNode media = resolved(answer.getValue(), document).at("/content/application~1json");
          if (answer.getKey().startsWith("2") && !media.isMissingNode() && !hasExample(media)) {
            without.add(id + answer.getKey());
          }
        }
      }
    }
    return without;
  }

  private static JsonNode resolved(JsonNode given, JsonNode document) {
    return given.has("$ref") ? document.at(given.path("$ref").asString("").substring(1)) : given;
  }

  private static boolean hasExample(JsonNode described) {
    return described.has("example") || !described.path("examples").isEmpty();
  }

  private static Set<String> documented(Predicate<JsonNode> wanted) throws IOException {
    Set<String> routes = new TreeSet<>();
    for (var path : document().get("paths").properties()) {
      for (var operation : path.getValue().properties()) {
        if (wanted.test(operation.getValue())) {
          routes.add(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey());
        }
      }
    }
    return routes;
  }

  private static JsonNode document() throws IOException {
    try (InputStream in = OpenApiTest.class.getResourceAsStream("/openapi.json")) {
      return JsonMapper.shared().readTree(in);
    }
  }

  private static Set<String> mapped() throws ClassNotFoundException {
    Set<String> routes = new TreeSet<>();
    for (RequestMapping mapping : mappings(name -> !name.endsWith(ACME))) {
      for (RequestMethod verb : mapping.method()) {
        routes.add(verb + " " + mapping.path()[0]);
      }
    }
    return routes;
  }

  private static List<RequestMapping> mappings() throws ClassNotFoundException {
    return mappings(name -> true);
  }

  private static List<RequestMapping> mappings(Predicate<String> wanted)
      throws ClassNotFoundException {
    var scanner = new ClassPathScanningCandidateComponentProvider(false);
    scanner.addIncludeFilter(new AnnotationTypeFilter(RestController.class));
    List<RequestMapping> mappings = new ArrayList<>();
    for (BeanDefinition found : scanner.findCandidateComponents(ROOT)) {
      if (!wanted.test(String.valueOf(found.getBeanClassName()))) {
        continue;
      }
      for (Method method : Class.forName(found.getBeanClassName()).getDeclaredMethods()) {
        RequestMapping mapping =
            AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
        if (mapping != null) {
          mappings.add(mapping);
        }
      }
    }
    return mappings;
  }
}
