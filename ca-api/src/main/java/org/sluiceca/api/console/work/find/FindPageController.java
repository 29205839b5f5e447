package org.sluiceca.api.console.work.find;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluiceca.api.certificate.find.CertificateFinder;
import org.sluiceca.api.certificate.find.CertificateFinder.CertificateBody;
import org.sluiceca.api.certificate.find.CertificateFinder.PageBody;
import org.sluiceca.api.console.ConsolePaths;
import org.sluiceca.api.console.Pages;
import org.sluiceca.api.console.SessionFilter;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.platform.share.FairPlaces;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.SerialNumber;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import tools.jackson.databind.json.JsonMapper;

/** The page that finds certificates, and the download of what it found. */
@Controller
final class FindPageController {

  private static final int PAGE = 50;

  /** Certificates of a download, and the pages that are looked through for it. */
  static final int FILE_MAX = 2_000;

  private static final int FILE_PAGES_MAX = 40;

  /** Characters of a download after which it ends: certificates with a hundred names have 25 KB. */
  private static final int FILE_CHARACTERS_MAX = 1 << 20;

  /** After which a download ends with what it has: its connection is cut after a minute. */
  private static final Duration FILE_TIME_MAX = Duration.ofSeconds(30);

  /** Downloads that are made or sent at once, some 20 MB each at the very most. */
  private static final int FILES_MAX = 4;

  private static final Duration RETRY = Duration.ofSeconds(2);

  private static final String TEMPLATE = "certificates";
  private static final String CSV = "csv";

  private final CertificateFinder finder;
  private final ProfileCatalog profiles;
  private final IssuerCatalog issuers;
  private final Pages pages;
  private final JsonMapper json;
  private final InstantSource clock;
  private final FairPlaces<RequesterId> files = new FairPlaces<>(FILES_MAX);

  FindPageController(
      CertificateFinder finder,
      ProfileCatalog profiles,
      IssuerCatalog issuers,
      Pages pages,
      JsonMapper json,
      InstantSource clock) {
    this.finder = finder;
    this.profiles = profiles;
    this.issuers = issuers;
    this.pages = pages;
    this.json = json;
    this.clock = clock;
  }

  @GetMapping(ConsolePaths.CERTIFICATES)
  void find(
      @RequestParam MultiValueMap<String, String> query,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    Requester requester = SessionFilter.required(request).requester();
    Map<String, Object> model = new HashMap<>();
    model.put("readsAll", CertificateFinder.mayReadAll(requester));
    model.put("profiles", profiles.all().stream().map(p -> p.name().value()).sorted().toList());
    model.put("issuers", issuers.all().stream().map(i -> i.name().value()).sorted().toList());
    model.put("fileMax", FILE_MAX);
    model.put("within", "");
    try {
      FindForm form = FindForm.of(query, today());
      if (!form.field(FindForm.SERIAL).isEmpty()) {
        leadTo(form.field(FindForm.SERIAL), response);
        return;
      }
      model.put("fields", form.fields());
      model.put("within", form.field(FindForm.WITHIN));
      fill(model, form, requester);
      pages.write(request, response, TEMPLATE, model);
    } catch (ProblemException e) {
      if (e.type() != ProblemType.MALFORMED_REQUEST) {
        throw e;
      }
      // What was typed stays, for it is to be corrected.
      model.put("fields", typed(query));
      model.put("failure", e.detail());
      model.put("rows", List.of());
      pages.write(request, response, e.type().status(), TEMPLATE, model);
    }
  }

  private static Map<String, String> typed(Map<String, List<String>> query) {
    Map<String, String> typed = new LinkedHashMap<>();
    query.forEach((name, values) -> typed.put(name, values.getFirst()));
    return typed;
  }

  private void fill(Map<String, Object> model, FindForm form, Requester requester) {
    Instant now = clock.instant();
    int limit = form.hasExpiry() ? CertificateFinder.LIMIT_MAX : PAGE;
    PageBody found = finder.find(requester, form.parameters(limit));
    List<CertificateBody> certificates = new ArrayList<>(found.certificates());
    String next = found.next();
    boolean isFirst = form.field(FindForm.CURSOR).isEmpty();
    boolean isWhole = isFirst && next == null;
    if (isWhole && form.hasExpiry()) {
      certificates.sort(Comparator.comparing(c -> Instant.parse(c.notAfter())));
    }
    model.put("failure", "");
    model.put("rows", certificates.stream().map(c -> FoundRow.of(c, now)).toList());
    model.put("isWhole", isWhole);
    model.put("isFirst", isFirst);
    model.put("first", ConsolePaths.CERTIFICATES + form.query());
    model.put(
        "next", next == null ? "" : ConsolePaths.CERTIFICATES + form.query(FindForm.CURSOR, next));
    for (String format : List.of(CSV, "json")) {
      model.put(
          format, ConsolePaths.CERTIFICATES + "/export" + form.query(FindForm.FORMAT, format));
    }
  }

  private LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }

  private static void leadTo(String serial, HttpServletResponse response) {
    SerialNumber parsed;
    try {
      parsed = SerialNumber.ofText(serial.replace(" ", ""));
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.MALFORMED_REQUEST, String.valueOf(e.getMessage()));
    }
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader(HttpHeaders.LOCATION, ConsolePaths.CERTIFICATES + "/" + parsed.hex());
  }

  @GetMapping(ConsolePaths.CERTIFICATES + "/export")
  void export(
      @RequestParam MultiValueMap<String, String> query,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    FindForm form = FindForm.of(query, today());
    Requester requester = SessionFilter.required(request).requester();
    if (!files.take(requester.id())) {
      throw new ProblemException(
          ProblemType.SATURATED,
          String.format(
              Locale.ROOT,
              "This node makes %d downloads at once, and a requester may have no more of them than"
                  + " stay free: try again in %d s.",
              FILES_MAX,
              RETRY.toSeconds()),
          RETRY,
          null);
    }
    try {
      send(file(requester, form), form.field(FindForm.FORMAT).equals(CSV), response);
    } finally {
      files.giveBack(requester.id());
    }
  }

  private void send(FoundFile file, boolean isCsv, HttpServletResponse response)
      throws IOException {
    byte[] octets = isCsv ? file.csv() : file.json(json);
    response.setContentType(isCsv ? "text/csv;charset=UTF-8" : MediaType.APPLICATION_JSON_VALUE);
    response.setHeader(
        HttpHeaders.CONTENT_DISPOSITION,
        "attachment; filename=\"" + file.name(isCsv ? CSV : "json") + "\"");
    response.getOutputStream().write(octets);
  }

  /** Page by page, each in its turn among the searches of all requesters. */
  private FoundFile file(Requester requester, FindForm form) {
    Map<String, List<String>> parameters = form.parameters(CertificateFinder.LIMIT_MAX);
    List<CertificateBody> certificates = new ArrayList<>();
    Instant end = clock.instant().plus(FILE_TIME_MAX);
    int characters = 0;
    for (int i = 0;
        i < FILE_PAGES_MAX
            && certificates.size() < FILE_MAX
            && characters < FILE_CHARACTERS_MAX
            && clock.instant().isBefore(end);
        i++) {
      PageBody page = finder.find(requester, parameters);
      certificates.addAll(page.certificates());
      characters +=
          page.certificates().stream()
              .mapToInt(c -> c.subjectAltNames().stream().mapToInt(String::length).sum())
              .sum();
      String next = page.next();
      if (next == null) {
        return new FoundFile(certificates, true);
      }
      parameters.put("cursor", List.of(next));
    }
    return new FoundFile(certificates, false);
  }
}
