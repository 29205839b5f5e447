package org.sluiceca.api.enrollment;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.der.Mutations;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.testkit.CsrFixture;

/** The fuzz target over sound requests, damaged by seed, and over what breaks JSON parsers. */
class RequestFuzzTest {

  private static final int MUTATIONS = 300;

  @Test
  void target_soundRequestsWithSeededDamage_holds() {
    for (byte[] sound : seeds()) {
      for (long seed = 0; seed <= MUTATIONS; seed++) {
        byte[] mutant = seed == 0 ? sound : Mutations.of(sound, new SplittableRandom(seed));
        if (mutant.length > 0) {
          mutant[0] = sound[0];
        }
        assertThatCode(() -> RequestFuzz.fuzzerTestOneInput(mutant))
            .as("%s, seed %d", new String(sound, 0, 9, StandardCharsets.ISO_8859_1), seed)
            .doesNotThrowAnyException();
      }
    }
  }

  @Test
  void target_jsonThatBreaksParsers_holds() {
    for (String json :
        List.of(
            "",
            "null",
            "[]",
            "\"\"",
            "{\"profile\":1}",
            "{\"csr\":{}}",
            "{\"csr\":[\"a\"]}",
            "{\"csr\":\"\\ud800\"}",
            "{\"csr\":\"a\",\"csr\":\"b\"}",
            "[".repeat(50_000),
            "{\"csr\":".repeat(20_000),
            "{\"" + "a".repeat(60_000) + "\":1}",
            "9".repeat(60_000),
            "1e" + "9".repeat(60_000))) {
      assertThatCode(() -> take(RequestFuzz.JSON, json)).doesNotThrowAnyException();
    }
  }

  /** Writes the seeds into the folder named first, for the fuzzer. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    int number = 0;
    for (byte[] seed : seeds()) {
      Files.write(folder.resolve(String.format(Locale.ROOT, "seed-%02d", number++)), seed);
    }
  }

  private static void take(char part, String text) {
    RequestFuzz.fuzzerTestOneInput((part + text).getBytes(StandardCharsets.UTF_8));
  }

  private static List<byte[]> seeds() {
    String pem = Pem.write(Pem.CERTIFICATE_REQUEST, CsrFixture.file("openssl-ec-p256").encoded());
    String base64 = pem.replaceAll("-----[A-Z ]+-----|\\s", "");
    List<byte[]> seeds = new ArrayList<>();
    for (String text :
        List.of(
            "j{\"profile\":\"tls-server\",\"csr\":\"" + pem.replace("\n", "\\n") + "\"}",
            "j{\"csr\":\"" + base64 + "\",\"profile\":null}",
            "c" + pem,
            "c" + base64,
            "aapplication/pkix-cert;q=0.5, application/*;q=0.1, */*",
            "aapplication/pem-certificate-chain",
            "prespond-async, wait=10",
            "pWait=\"7\" ; a=b, handling=lenient",
            "ntls-server",
            "n8e03978e-40d5-43e8-bc93-6894a57f9324")) {
      seeds.add(text.getBytes(StandardCharsets.UTF_8));
    }
    return seeds;
  }
}
