package org.sluiceca.api.acme.endpoint.administration;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.audit.Digest;

/**
 * A file of an endpoint that could be stored, and what its activation would change.
 *
 * @param stored whether the very same file is stored already
 * @param active what is active now; absent where nothing is
 * @param changes against that, by key; against nothing, all that the file allows
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record CheckedEndpoint(
    String name,
    int version,
    String sha256,
    boolean stored,
    @Nullable ActiveBody active,
    List<Change> changes) {

  /**
   * What is active under the name.
   *
   * @param source {@code stored}, or {@code file} for that of the node asked
   */
  record ActiveBody(String source, int version) {}

  /**
   * A difference.
   *
   * @param key of the file, with dots between sections
   * @param before absent where the active version has no such term, or cannot be read
   * @param after absent where the file has none
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Change(String key, @Nullable String before, @Nullable String after) {}

  static CheckedEndpoint of(EndpointAnswer.Sound sound, byte[] file) {
    AcmeEndpoint endpoint = sound.endpoint();
    return new CheckedEndpoint(
        endpoint.name().value(),
        endpoint.version(),
        Digest.sha256(file).toString(),
        sound.isStored(),
        sound
            .active()
            .map(active -> new ActiveBody(active.isStored() ? "stored" : "file", active.version()))
            .orElse(null),
        changes(
            sound
                .active()
                .flatMap(EndpointAnswer.Active::endpoint)
                .map(EndpointTerms::of)
                .orElse(Map.of()),
            EndpointTerms.of(endpoint)));
  }

  private static List<Change> changes(Map<String, String> before, Map<String, String> after) {
    Set<String> keys = new LinkedHashSet<>(after.keySet());
    keys.addAll(before.keySet());
    List<Change> changes = new ArrayList<>();
    for (String key : keys) {
      @Nullable String old = before.get(key);
      @Nullable String fresh = after.get(key);
      if (old == null || !old.equals(fresh)) {
        changes.add(new Change(key, old, fresh));
      }
    }
    return changes;
  }
}
