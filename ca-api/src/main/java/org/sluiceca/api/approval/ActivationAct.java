package org.sluiceca.api.approval;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Function;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;
import tools.jackson.databind.JsonNode;

/**
 * Activates a stored version of a file, or each node's own file again, that a second person has
 * approved: never another file than the one that was read. Thread-safe if what extends it is.
 *
 * @param <N> the names of such files
 */
public abstract class ActivationAct<N> implements ApprovedAct {

  private static final String VERSION = "version";
  private static final String REPLACES = "replaces";
  private static final String SHA256 = "sha256";
  private static final String FILE = "file";

  /** In place of a digest: where nodes have no file of the name, nothing is active then. */
  private static final String NO_FILE = "none";

  private final ApprovalAction action;
  private final String kind;
  private final Function<String, N> names;

  /** Writes what is named under the key {@code kind}, and reads it by {@code names}. */
  protected ActivationAct(ApprovalAction action, String kind, Function<String, N> names) {
    this.action = action;
    this.kind = kind;
    this.names = names;
  }

  /** Returns the octets of a stored version. */
  protected abstract Optional<OctetString> stored(N name, int version);

  /** Returns a digest of this node's own file of a name. */
  protected abstract Optional<String> own(N name);

  /** Returns the number of the activation that an approval has made. */
  protected abstract Optional<Long> made(UUID approval);

  /** Activates what was approved, once, however often it is asked. */
  protected abstract Result activate(ActivationWish<N> wish, UUID approval);

  /** Returns the result of the activation of this number. */
  protected static Result done(long activation) {
    return Result.done("activation " + activation);
  }

  @Override
  public final ApprovalAction action() {
    return action;
  }

  /**
   * Returns what is asked for: the file by its digest, too, so that who approves knows which one.
   * Of a stored file that is over its octets; of each node's own it is that of the file here.
   */
  public final Map<String, Object> content(ActivationWish<N> wish) {
    Map<String, Object> content = new HashMap<>();
    content.put(kind, String.valueOf(wish.name()));
    content.put(REPLACES, wish.replaces());
    if (wish.version().isPresent()) {
      int version = wish.version().getAsInt();
      content.put(VERSION, version);
      sha256(wish.name(), version).ifPresent(digest -> content.put(SHA256, digest));
    } else {
      content.put(FILE, own(wish.name()).orElse(NO_FILE));
    }
    return content;
  }

  @Override
  public final Result carryOut(UUID approval, JsonNode content, RequesterId askedBy) {
    // By another node, perhaps, whose file is another one.
    Optional<Long> made = made(approval);
    if (made.isPresent()) {
      return done(made.get());
    }
    N name = names.apply(content.path(kind).asString(""));
    OptionalInt version =
        content.has(VERSION) ? OptionalInt.of(content.path(VERSION).asInt()) : OptionalInt.empty();
    Optional<String> fault = fault(name, version, content);
    return fault.isPresent()
        ? Result.failed(fault.get())
        : activate(
            new ActivationWish<>(name, version, content.path(REPLACES).asLong(), askedBy),
            approval);
  }

  /** Why what would be active is not what was approved. */
  private Optional<String> fault(N name, OptionalInt version, JsonNode content) {
    if (version.isPresent()) {
      String approved = content.path(SHA256).asString("");
      return sha256(name, version.getAsInt()).filter(approved::equals).isPresent()
          ? Optional.empty()
          : Optional.of("the stored file is not the one that was approved");
    }
    String approved = content.path(FILE).asString("");
    String own = own(name).orElse(NO_FILE);
    return own.equals(approved)
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the file of the node that was to carry it out is %s, and %s was approved",
                own,
                approved.isEmpty() ? "no certain one" : approved));
  }

  private Optional<String> sha256(N name, int version) {
    return stored(name, version).map(file -> Digest.sha256(file.octets()).toString());
  }
}
