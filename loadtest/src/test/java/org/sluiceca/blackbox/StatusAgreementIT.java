package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.sluiceca.blackbox.StatusCast.Breadth;

/** By an issuer of each family of algorithms; {@link WideStatusAgreementIT} has all of them. */
class StatusAgreementIT extends StatusAgreement {

  StatusAgreementIT() {
    super(Breadth.NARROW);
  }

  @Test
  void issuers_areOfEveryAlgorithmThatTheLauncherOffers() {
    Matcher offered =
        Pattern.compile("--issuer-key ALGORITHM\\s+([a-z0-9 -]+?)\\s+\\(")
            .matcher(Program.of(Checkout.launcher(), "up", "--help").run().ok().text());

    assertThat(offered.find()).isTrue();
    assertThat(Breadth.WIDE.issuers().values())
        .containsExactlyInAnyOrder(offered.group(1).split(" "));
    assertThat(families(Breadth.NARROW.issuers().values()))
        .isEqualTo(families(Breadth.WIDE.issuers().values()));
  }

  private static Collection<String> families(Collection<String> algorithms) {
    return algorithms.stream()
        .map(algorithm -> algorithm.replaceFirst("-.*", ""))
        .collect(Collectors.toSet());
  }
}
