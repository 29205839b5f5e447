package org.sluiceca.hsm.bench.keyless;

import java.util.List;
import java.util.Set;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.RequestSigner;
import org.sluiceca.hsm.route.GroupObserver;
import org.sluiceca.hsm.route.TokenGroup;
import org.sluiceca.hsm.route.TokenPolicy;
import org.sluiceca.hsm.route.TokenSettings;
import org.sluiceca.hsm.signer.HsmSigner;

/** Two tokens that hold one key, calibrated, as a node signs with them. */
final class TwoTokens implements AutoCloseable {
  private final TokenGroup group;

  private TwoTokens(TokenGroup group) {
    this.group = group;
  }

  static TwoTokens open(Place a, Place b, KeyKind kind) {
    Set<KeyRef> keys = Set.of(a.key(kind));
    List<TokenSettings> settings = List.of(settings("a", a, kind), settings("b", b, kind));
    TokenGroup group =
        TokenGroup.open(
            new TokenGroup.Setup(
                (token, asked, observer) -> HsmSigner.open(token.hsm(), asked, observer),
                keys,
                keys,
                "",
                GroupObserver.NONE),
            settings);
    if (!group.statuses().stream().allMatch(each -> each.stats().isPresent())) {
      group.close();
      throw new IllegalStateException("two tokens, and not both open: " + group.statuses());
    }
    return new TwoTokens(group);
  }

  private static TokenSettings settings(String name, Place place, KeyKind kind) {
    return new TokenSettings(
        name, place.settings(place.calibrate(List.of(kind))), TokenPolicy.DEFAULT);
  }

  RequestSigner signer() {
    return group;
  }

  @Override
  public void close() {
    group.close();
  }
}
