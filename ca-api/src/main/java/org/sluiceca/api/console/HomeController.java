package org.sluiceca.api.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.console.session.Session;
import org.sluiceca.api.console.session.Sessions;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Role;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;

/** What stands around the pages: the entry, the account, files, and paths that lead nowhere. */
@Controller
final class HomeController {

  private static final String KEPT = "public, max-age=31536000, immutable";

  private final Assets assets;
  private final Sessions sessions;
  private final Pages pages;

  HomeController(Assets assets, Sessions sessions, Pages pages) {
    this.assets = assets;
    this.sessions = sessions;
    this.pages = pages;
  }

  @GetMapping({ConsolePaths.ROOT, ConsolePaths.ROOT + "/"})
  void home(HttpServletResponse response) {
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
    response.setHeader(HttpHeaders.LOCATION, Menu.PAGES.getFirst().path());
  }

  @GetMapping(ConsolePaths.ACCOUNT)
  void account(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Session session = SessionFilter.required(request);
    List<String> roles =
        session.requester().roles().stream().sorted().map(role -> role(role)).toList();
    List<String> profiles =
        session.requester().profiles().stream().map(ProfileName::value).sorted().toList();
    pages.write(
        request,
        response,
        "account",
        Map.of(
            "roles",
            roles,
            "profiles",
            profiles,
            "since",
            ConsoleTime.text(session.createdAt()),
            "by",
            session.certificate().isPresent() ? "client certificate" : "token",
            "endsAt",
            ConsoleTime.text(session.credentialEndsAt()),
            "others",
            sessions.count(session) - 1));
  }

  private static String role(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }

  /** A file of another digest is that of another release: it is sent, but not to be kept. */
  @GetMapping(ConsolePaths.ASSETS + "{digest}/{name}")
  void asset(@PathVariable String digest, @PathVariable String name, HttpServletResponse response)
      throws IOException {
    Optional<Assets.Asset> found = assets.find(name);
    if (found.isEmpty()) {
      throw nowhere();
    }
    Assets.Asset asset = found.get();
    if (asset.digest().equals(digest)) {
      response.setHeader(HttpHeaders.CACHE_CONTROL, KEPT);
    }
    response.setContentType(asset.mediaType());
    response.getOutputStream().write(asset.content().octets());
  }

  @RequestMapping(ConsolePaths.ROOT + "/**")
  void other(HttpServletRequest request, HttpServletResponse response) throws IOException {
    pages.refuse(request, response, nowhere());
  }

  private static ProblemException nowhere() {
    return new ProblemException(ProblemType.NOT_FOUND, "There is no such page.");
  }
}
