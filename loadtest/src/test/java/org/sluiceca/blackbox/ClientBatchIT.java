package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** {@code sluice batch} on a folder of requests, killed in the middle and run again. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class ClientBatchIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final int REQUESTS = 400;

  /** One key for all: a requester may have several certificates of a key. */
  private static final String REQUESTS_ARE_MADE =
      """
      openssl ecparam -name prime256v1 -genkey -noout -out key
      mkdir requests
      for i in $(seq "$1"); do
        openssl req -new -key key -subj "/CN=h$i.killed.example.com" -out "requests/h$i.csr"
      done
      """;

  @TempDir private Path folder;

  @Test
  void batch_killedAndRunAgain_eachRequestHasOneCertificate() {
    KilledBatch batch = new KilledBatch(TRIAL.trial(), folder);
    batch.in(REQUESTS_ARE_MADE, Stream.of(Integer.toString(REQUESTS))).run().ok();

    batch.killedAt(40);
    int early = batch.certificates().size();
    Program.Ended again = batch.again();

    assertThat(early).isBetween(20, REQUESTS - 1);
    assertThat(batch.certificates()).hasSize(REQUESTS);
    assertThat(again.errors()).contains(REQUESTS + " of " + REQUESTS + " are issued");
    assertThat(batch.found("killed.example.com"))
        .as("none twice")
        .hasSize(REQUESTS)
        .doesNotHaveDuplicates()
        .extracting(line -> line.path("subject").asString(""))
        .doesNotHaveDuplicates();
  }
}
