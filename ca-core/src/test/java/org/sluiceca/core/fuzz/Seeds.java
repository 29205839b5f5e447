package org.sluiceca.core.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.core.der.Pem;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.RawCsr;
import org.sluiceca.core.testkit.RawDer;
import org.sluiceca.core.testkit.SignedJson;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.testkit.WeakRsa;

/** What each target begins with: the requests of real tools, and parts of them. */
public final class Seeds {

  private static final List<String> FILES =
      List.of(
          "openssl-rsa-2048",
          "openssl-ec-p256",
          "openssl-ec-p384",
          "openssl-ed25519",
          "openssl-ed448",
          "openssl-full",
          "openssl-rsa-2048-pss",
          "openssl-ec-explicit-curve",
          "openssl-email-address",
          "certtool-ec-p256",
          "keytool-ec-p256");

  private Seeds() {}

  /** Writes the seeds of the target named first into the folder named second. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[1]));
    int number = 0;
    for (byte[] seed : of(arguments[0])) {
      Files.write(folder.resolve("seed-%02d".formatted(number++)), seed);
    }
  }

  /** Returns the seeds of a target by its simple name. */
  public static List<byte[]> of(String target) {
    return switch (target) {
      case "CsrFuzz", "AddressBeforeItsLength" -> requests();
      case "SignedCsrFuzz" -> parts();
      case "TextFuzz" -> texts();
      case "JwsFuzz" -> messages();
      default -> List.of();
    };
  }

  private static List<byte[]> requests() {
    List<byte[]> seeds = new ArrayList<>();
    FILES.forEach(file -> seeds.add(CsrFixture.file(file).encoded()));
    seeds.add(RawCsr.sound().bytes());
    seeds.add(RawCsr.sound().names(RawCsr.dns("a.test"), RawDer.tlv(0x87, new byte[4])).bytes());
    seeds.add(
        RawCsr.sound().key(WeakRsa.key(WeakRsa.ofClosePrimes(1), WeakRsa.F4).encoded()).bytes());
    return seeds;
  }

  private static List<byte[]> parts() {
    Map<Integer, List<String>> parts = new LinkedHashMap<>();
    parts.put(0, List.of("8206612e74657374", "8704c0000201", "810361406286 0575726e3a61"));
    parts.put(1, List.of("310f300d06035504030c06612e74657374"));
    parts.put(2, List.of("0c06612e74657374", "1306612e74657374", "1e0400610062"));
    parts.put(3, List.of("300b0603551d0f040403020780", "30090603551d1304023000"));
    parts.put(4, List.of("301506092a864886f70d01090731080c06736563726574"));
    parts.put(5, List.of("2a2e612e74657374", "786e2d2d62636865722d6b76612e74657374"));
    parts.put(6, List.of("612e74657374", "c3bc"));
    parts.put(7, List.of("c0000201", "20010db8000000000000000000000001"));
    List<byte[]> seeds = new ArrayList<>();
    parts.forEach(
        (which, values) ->
            values.forEach(
                value ->
                    seeds.add(RawDer.join(new byte[] {which.byteValue()}, RawDer.hex(value)))));
    return seeds;
  }

  /** Whole messages, their headers, and keys alone. */
  private static List<byte[]> messages() {
    List<byte[]> seeds = new ArrayList<>();
    for (String name : List.of("rsa-2048", "ec-p256", "ec-p384", "ec-p521", "ed25519")) {
      SoftwareKey key = SoftwareKey.named(name);
      String header = SignedJson.header(key, "n1", "https://ca.test/acme/trial/new-account");
      seeds.add(SignedJson.signed(key, header, "{\"termsOfServiceAgreed\":true}"));
      seeds.add(header.getBytes(StandardCharsets.UTF_8));
      seeds.add(SignedJson.jwk(key).getBytes(StandardCharsets.UTF_8));
    }
    seeds.add(
        SignedJson.signed(
            SoftwareKey.named("ec-p256"),
            "{\"alg\":\"ES256\",\"kid\":\"https://ca.test/a/1\",\"nonce\":\"n\",\"url\":\"u\"}",
            ""));
    return seeds;
  }

  private static List<byte[]> texts() {
    List<byte[]> seeds = new ArrayList<>();
    for (String text :
        List.of(
            Pem.write(Pem.CERTIFICATE_REQUEST, RawCsr.sound().bytes()),
            "a.example.test",
            "*.xn--bcher-kva.test",
            "https://a.test:8443/b?c#d",
            "spiffe://[2001:db8::1]/x",
            "# list\n" + "ab".repeat(32) + "\n" + "cd".repeat(10),
            "rsa-factor "
                + HexFormat.of().formatHex(SoftwareKey.named("ec-p256").publicKey().encoded()))) {
      seeds.add(text.getBytes(StandardCharsets.UTF_8));
    }
    return seeds;
  }
}
