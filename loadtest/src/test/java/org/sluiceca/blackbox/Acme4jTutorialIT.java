package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.openssl.PEMParser;
import org.jose4j.jws.JsonWebSignature;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.shredzone.acme4j.Session;
import org.slf4j.Logger;

/** The code of docs/ACME4J.md as it stands, and its commands as a reader types them. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class Acme4jTutorialIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final Pattern COMMANDS = Pattern.compile("(?ms)^```sh\n(.*?)^```$");
  private static final Pattern PROGRAM = Pattern.compile("(?ms)^```java\n(.*?)^```$");

  /** One of each library that Maven would put into lib. */
  private static final List<Class<?>> LIBRARIES =
      List.of(
          Session.class,
          JsonWebSignature.class,
          ASN1Object.class,
          PEMParser.class,
          org.bouncycastle.asn1.cmp.CMPObjectIdentifiers.class,
          Logger.class);

  @TempDir private Path checkout;

  private static String blocks(Pattern pattern) {
    return pattern
        .matcher(Checkout.text("docs/ACME4J.md"))
        .results()
        .map(block -> block.group(1))
        .collect(Collectors.joining());
  }

  @Test
  void tutorial_codeAndCommands_doWhatThePageSays() throws Exception {
    String port = Integer.toString(Ports.NODES.free(1));
    Files.createSymbolicLink(checkout.resolve("var"), TRIAL.trial().data());
    Path service = Files.createDirectory(checkout.resolve("service"));
    Files.writeString(service.resolve("Service.java"), blocks(PROGRAM));
    Path lib = Files.createDirectory(service.resolve("lib"));
    for (Class<?> library : LIBRARIES) {
      Path jar = Path.of(library.getProtectionDomain().getCodeSource().getLocation().toURI());
      Files.createSymbolicLink(lib.resolve(jar.getFileName()), jar);
    }
    String java = Path.of(System.getProperty("java.home"), "bin").toString();

    Program.Ended ended =
        Program.of(
                "bash",
                "-euo",
                "pipefail",
                "-c",
                "cd '" + checkout + "'\n" + blocks(COMMANDS).replace("8445", port))
            .with(Map.of("PATH", java + File.pathSeparator + System.getenv("PATH")))
            .run();

    Path pid = service.resolve("service.pid");
    if (Files.exists(pid)) {
      // Where the commands failed, it has not come to its end.
      ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
          .ifPresent(ProcessHandle::destroy);
    }
    String log =
        Files.exists(service.resolve("service.log"))
            ? Files.readString(service.resolve("service.log"))
            : "";
    assertThat(ended.status()).as("%s%n%s", ended, log).isZero();
    assertThat(ended.text().split("Hello from a JVM", -1)).hasSize(3);
    assertThat(ended.text()).contains("serial=", "notAfter=");
    assertThat(log.lines().filter(line -> line.startsWith("certificate "))).hasSize(2);
    assertThat(log).doesNotContain("not renewed", "Exception");
    assertThat(Files.getPosixFilePermissions(service.resolve("site.p12"))).hasSize(2);
  }
}
