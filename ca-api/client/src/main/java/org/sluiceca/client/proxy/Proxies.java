package org.sluiceca.client.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Failure;

/**
 * Which proxy leads to a URL: that of {@code https_proxy} or {@code HTTPS_PROXY}, unless {@code
 * no_proxy} or {@code NO_PROXY} names the host or it is a loopback address; Java's own (system
 * property {@code https.proxyHost}) where it is set or the environment names none. Immutable,
 * thread-safe.
 */
public final class Proxies {
  private static final int PORT_MAX = 65_535;
  private static final String JAVAS = "https.proxyHost";
  private static final String DISABLED = "jdk.http.auth.tunneling.disabledSchemes";

  /** The last @ ends the user, as curl has it. */
  private static final Pattern VALUE =
      Pattern.compile(
          "(?:(?<scheme>[A-Za-z][A-Za-z0-9+.-]*)://)?(?:(?<user>[^/?#\\s]*)@)?"
              + "(?:\\[(?<address>[0-9A-Fa-f:.]+)]|(?<host>[A-Za-z0-9._-]+)):(?<port>[0-9]{1,5})/?");

  private final @Nullable Via named;
  private final NoProxy except;

  private Proxies(@Nullable Via named, NoProxy except) {
    this.named = named;
    this.except = except;
  }

  /** Those of Java alone. */
  public static Proxies ofJava() {
    return new Proxies(null, NoProxy.of("", "no_proxy"));
  }

  /** Those of this process's environment, or Java's. */
  public static Proxies ofEnvironment() {
    return of(System.getenv());
  }

  /**
   * Those of an environment, or Java's. Fails, exit code 2, naming a variable that is malformed.
   */
  public static Proxies of(Map<String, String> environment) {
    String variable = first(environment, "https_proxy", "HTTPS_PROXY");
    String value = environment.getOrDefault(variable, "");
    if (value.isEmpty() || !System.getProperty(JAVAS, "").isEmpty()) {
      return ofJava();
    }
    String except = first(environment, "no_proxy", "NO_PROXY");
    return new Proxies(
        via(value, variable), NoProxy.of(environment.getOrDefault(except, ""), except));
  }

  /** In lower case first, as curl and others do. */
  private static String first(Map<String, String> environment, String lower, String upper) {
    return environment.getOrDefault(lower, "").isEmpty() ? upper : lower;
  }

  private static Via via(String value, String variable) {
    Matcher matcher = VALUE.matcher(value.strip());
    if (!matcher.matches()) {
      throw malformed(variable);
    }
    String scheme = matcher.group("scheme");
    if (scheme != null && !scheme.equalsIgnoreCase("http")) {
      throw Failure.usage(
          variable + " begins with " + scheme + "://, and only http:// proxies can be used");
    }
    int port = Integer.parseInt(matcher.group("port"));
    if (port < 1 || port > PORT_MAX) {
      throw malformed(variable);
    }
    String address = matcher.group("address");
    return new Via(
        address == null ? matcher.group("host") : address,
        port,
        authorization(matcher.group("user"), variable),
        variable);
  }

  /** The value may hold a password: it is not repeated. */
  private static Failure malformed(String variable) {
    return Failure.usage(
        variable + " must be http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, and is neither");
  }

  private static @Nullable String authorization(@Nullable String user, String variable) {
    if (user == null || user.isEmpty()) {
      return null;
    }
    try {
      String[] parts = user.split(":", 2);
      String text = decoded(parts[0]) + ":" + (parts.length == 2 ? decoded(parts[1]) : "");
      return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw Failure.usage(
          variable + " has a % in its user or password that encodes nothing: % itself is %25");
    }
  }

  /** Percent-encoding alone: a plus sign is one. */
  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** The proxy for a URL; empty to connect directly. */
  public Optional<Via> via(URI url) {
    return named == null
        ? javas(url)
        : Optional.of(named).filter(via -> !except.covers(url.getHost(), url.getPort()));
  }

  private static Optional<Via> javas(URI url) {
    return ProxySelector.getDefault().select(url).stream()
        .filter(proxy -> proxy.type() == Proxy.Type.HTTP)
        .map(Proxy::address)
        .filter(InetSocketAddress.class::isInstance)
        .map(InetSocketAddress.class::cast)
        .findFirst()
        .map(to -> new Via(to.getHostString(), to.getPort(), null, JAVAS));
  }

  /** The same for the JDK's HttpClient. */
  public ProxySelector selector() {
    // The JDK sends no Basic through a tunnel unless it is allowed to before its first exchange.
    if (named != null && System.getProperty(DISABLED) == null) {
      System.setProperty(DISABLED, "");
    }
    return new Selector(this);
  }

  private static final class Selector extends ProxySelector {
    private final Proxies proxies;

    Selector(Proxies proxies) {
      this.proxies = proxies;
    }

    @Override
    public List<Proxy> select(URI url) {
      return List.of(
          proxies
              .via(url)
              .map(
                  via ->
                      new Proxy(
                          Proxy.Type.HTTP,
                          InetSocketAddress.createUnresolved(via.host(), via.port())))
              .orElse(Proxy.NO_PROXY));
    }

    /** There is no other to choose. */
    @Override
    public void connectFailed(URI url, SocketAddress address, IOException e) {}
  }
}
