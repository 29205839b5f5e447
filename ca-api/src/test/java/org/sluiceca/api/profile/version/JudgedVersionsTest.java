package org.sluiceca.api.profile.version;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.api.profile.version.VersionFiles.file;
import static org.sluiceca.api.profile.version.VersionFiles.keys;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.api.profile.store.StoredVersion;
import org.sluiceca.api.profile.store.VersionStore;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.IssuerName;

/** Each version is read and parsed once, however often something is activated. */
class JudgedVersionsTest {

  private final List<StoredVersion> stored = new ArrayList<>();
  private final List<Integer> reads = new ArrayList<>();
  private final JudgedVersions judged =
      new JudgedVersions(
          new VersionRules(
              ProfileFiles.read(ProfileFiles.CLASSPATH), new IssuerName("issuing")::equals, true),
          this::read);

  private List<StoredVersion> read(List<StoredVersion.Key> wanted) {
    reads.add(wanted.size());
    return stored.stream()
        .filter(
            e ->
                wanted.stream()
                    .anyMatch(k -> k.name().equals(e.name()) && k.version() == e.version()))
        .toList();
  }

  private static CertificateProfile profile(Collection<JudgedVersions.Judged> judged, int version) {
    return judged.stream()
        .filter(j -> j.version() == version)
        .findFirst()
        .orElseThrow()
        .profile()
        .orElseThrow();
  }

  /** Planted: nothing is remembered, so that an activation has 2,000 files read on every node. */
  @Test
  void of_again_nothingIsReadAndTheVerySameProfilesComeBack() {
    stored.add(file("tls-server", 2, "P10D"));
    stored.add(file("tls-server", 3, "P20D"));
    Collection<JudgedVersions.Judged> first = judged.of(keys(stored));
    CertificateProfile two = profile(first, 2);

    assertThat(profile(judged.of(keys(stored)), 2)).isSameAs(two);
    assertThat(reads).containsExactly(2);
    // One more: it alone is read, and all that was ever activated is still known.
    stored.add(file("tls-server", 4, "P30D"));
    Collection<JudgedVersions.Judged> third = judged.of(keys(stored));
    assertThat(reads).containsExactly(2, 1);
    assertThat(profile(third, 2)).isSameAs(two);
    assertThat(third).extracting(JudgedVersions.Judged::version).containsExactlyInAnyOrder(2, 3, 4);
  }

  @Test
  void of_whatIsFaulty_rememberedToo() {
    stored.add(
        VersionFiles.stored(new ProfileName("tls-server"), 2, "not yaml: [".getBytes(UTF_8)));

    Collection<JudgedVersions.Judged> first = judged.of(keys(stored));
    Collection<JudgedVersions.Judged> again = judged.of(keys(stored));

    assertThat(reads).containsExactly(1);
    assertThat(first).singleElement().matches(j -> j.profile().isEmpty() && !j.fault().isEmpty());
    assertThat(again).containsExactlyElementsOf(first);
  }

  /** Planted: by name and version alone, a row that was changed would be taken for what it was. */
  @Test
  void of_otherContentUnderTheSameVersion_judgedAnew() {
    stored.add(file("tls-server", 2, "P10D"));
    CertificateProfile before = profile(judged.of(keys(stored)), 2);
    stored.set(0, file("tls-server", 2, "P20D"));

    assertThat(profile(judged.of(keys(stored)), 2).version().digest())
        .isNotEqualTo(before.version().digest());
    assertThat(reads).containsExactly(1, 1);
  }

  /** What is no longer asked for is not kept, and nothing is read in one piece that is large. */
  @Test
  void of_many_readInPortions_andWhatIsGoneIsForgotten() {
    int count = VersionStore.READ_MAX + 5;
    IntStream.range(2, 2 + count).forEach(v -> stored.add(file("tls-server", v, "P10D")));

    assertThat(judged.of(keys(stored))).hasSize(count);
    assertThat(reads).containsExactly(VersionStore.READ_MAX, 5);
    assertThat(judged.of(keys(stored.subList(0, 1)))).hasSize(1);
    assertThat(judged.of(keys(stored.subList(0, 2)))).hasSize(2);
    assertThat(reads).containsExactly(VersionStore.READ_MAX, 5, 1);
  }
}
