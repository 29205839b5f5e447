package org.sluiceca.api.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.console.form.FormToken;
import org.sluiceca.api.console.session.Session;
import org.sluiceca.api.http.edge.RequestId;
import org.sluiceca.api.http.problem.Problem;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.platform.ProductVersion;
import org.springframework.http.HttpHeaders;
import org.thymeleaf.ITemplateEngine;
import org.thymeleaf.context.Context;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

/**
 * Writes pages. What a page shows goes through Thymeleaf, which escapes it. The engine is built
 * with the first page: a node whose console is not used does not pay for it. Thread-safe.
 */
public final class Pages {

  private final Assets assets;
  private final String nodeName;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable ITemplateEngine engine;

  /** Writes pages of the node {@code nodeName}. */
  public Pages(Assets assets, String nodeName) {
    this.assets = assets;
    this.nodeName = nodeName;
  }

  /** Writes a page with its frame, for the requester that is signed in. */
  public void write(
      HttpServletRequest request,
      HttpServletResponse response,
      String template,
      Map<String, ?> model)
      throws IOException {
    write(request, response, HttpServletResponse.SC_OK, template, model);
  }

  /** Writes a page with another status than 200. */
  public void write(
      HttpServletRequest request,
      HttpServletResponse response,
      int status,
      String template,
      Map<String, ?> model)
      throws IOException {
    Map<String, Object> all = new HashMap<>(model);
    Optional<Session> session = SessionFilter.session(request);
    all.put("assets", assets);
    all.put("node", nodeName);
    all.put("version", ProductVersion.running());
    all.put("path", request.getRequestURI());
    all.put(
        "menu", session.map(s -> Menu.of(s.requester().roles())).orElseGet(List::<Menu.Page>of));
    all.put("requester", session.map(s -> s.requester().id().value()).orElse(""));
    all.putIfAbsent("csrf", session.map(s -> FormToken.of(s.cookie())).orElse(""));
    byte[] html =
        engine().process(template, new Context(Locale.ROOT, all)).getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.setContentType("text/html;charset=UTF-8");
    response.getOutputStream().write(html);
  }

  /** Writes the page of a request that was refused or failed. */
  void refuse(HttpServletRequest request, HttpServletResponse response, ProblemException problem)
      throws IOException {
    if (response.isCommitted()) {
      return;
    }
    response.resetBuffer();
    problem
        .retryAfter()
        .ifPresent(
            wait ->
                response.setHeader(
                    HttpHeaders.RETRY_AFTER, Long.toString(Problem.retryAfterSeconds(wait))));
    write(
        request,
        response,
        problem.type().status(),
        "error",
        Map.of(
            "title",
            problem.type().title(),
            "detail",
            String.valueOf(problem.getMessage()),
            "requestId",
            String.valueOf(RequestId.of(request))));
  }

  private ITemplateEngine engine() {
    ITemplateEngine built = engine;
    if (built != null) {
      return built;
    }
    lock.lock();
    try {
      if (engine == null) {
        ClassLoaderTemplateResolver templates =
            new ClassLoaderTemplateResolver(Pages.class.getClassLoader());
        templates.setPrefix("console/templates/");
        templates.setSuffix(".html");
        templates.setTemplateMode(TemplateMode.HTML);
        templates.setCharacterEncoding(StandardCharsets.UTF_8.name());
        SpringTemplateEngine fresh = new SpringTemplateEngine();
        fresh.setTemplateResolver(templates);
        engine = fresh;
      }
      return Objects.requireNonNull(engine);
    } finally {
      lock.unlock();
    }
  }
}
