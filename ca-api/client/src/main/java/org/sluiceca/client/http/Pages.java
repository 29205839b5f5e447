package org.sluiceca.client.http;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.sluiceca.client.output.Failure;
import tools.jackson.databind.JsonNode;

/**
 * The pages of one list, by the {@code Link} header with {@code rel="next"} (RFC 8288). A page of
 * another path or host is never asked for, none twice, and not more than {@value #PAGES_MAX} but of
 * an endless list. Not thread-safe.
 */
public final class Pages {
  static final int PAGES_MAX = 1000;

  private static final Pattern LINK = Pattern.compile("<([^<>]*)>([^<,]*)");
  private static final Pattern NEXT =
      Pattern.compile(";\\s*rel\\s*=\\s*\"?next\"?\\s*(?:;|$)", Pattern.CASE_INSENSITIVE);
  private static final Pattern QUERY = Pattern.compile("[?][A-Za-z0-9_=&%.-]{1,5000}");

  private final String path;
  private final int most;
  private final Set<String> seen = new HashSet<>();

  /** The pages of the list that is at {@code path}, which has no query. */
  public Pages(String path) {
    this(path, PAGES_MAX);
  }

  private Pages(String path, int most) {
    this.path = path;
    this.most = most;
  }

  /** The same of a list that may have any number of pages. */
  public static Pages endless(String path) {
    return new Pages(path, Integer.MAX_VALUE);
  }

  /**
   * Hands over each page of the list at {@code path}, an array of at most {@code rowsMax}, until
   * {@code isEnough} says so or the last one was read. Each page has the command's whole time.
   *
   * @param kind what the list holds, for the words of a failure
   */
  public static void read(
      Service service, String path, int rowsMax, String kind, Predicate<JsonNode> isEnough) {
    Pages pages = new Pages(path);
    Optional<String> next = Optional.of(path);
    while (next.isPresent()) {
      service.renewPatience();
      Reply reply = service.ask(Call.get(next.get()));
      JsonNode page = reply.json();
      if (!page.isArray() || page.size() > rowsMax) {
        throw Failure.of("the answer is not a page of " + kind);
      }
      if (isEnough.test(page)) {
        return;
      }
      next = pages.after(reply);
    }
  }

  /** Path and query of the page after this one; empty after the last. */
  public Optional<String> after(Reply page) {
    Optional<String> next =
        page.headers().allValues("Link").stream()
            .flatMap(value -> LINK.matcher(value).results())
            .filter(link -> NEXT.matcher(link.group(2)).find())
            .map(link -> link.group(1))
            .findFirst();
    next.ifPresent(this::check);
    return next;
  }

  private void check(String target) {
    if (!target.startsWith(path) || !QUERY.matcher(target.substring(path.length())).matches()) {
      throw Failure.of("the service names a next page that is not its own: the list is cut off");
    }
    if (!seen.add(target)) {
      throw Failure.of("the service gives the same page again: the list is not complete");
    }
    if (seen.size() >= most) {
      throw Failure.of("the list has more than " + most + " pages: it is cut off");
    }
  }
}
