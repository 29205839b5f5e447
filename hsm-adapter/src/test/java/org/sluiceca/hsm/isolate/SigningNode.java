package org.sluiceca.hsm.isolate;

import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.signer.HsmSigner;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/**
 * A program that signs until it is killed: a node as far as modules are concerned. Arguments:
 * module, label, PIN file, whether isolated.
 */
final class SigningNode {
  private SigningNode() {}

  /** The command that starts it. */
  static List<String> command(FaultModule module, SoftToken token, boolean isIsolated) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:ErrorFile=/dev/null",
            "-XX:-CreateCoredumpOnCrash",
            "--add-exports=jdk.crypto.cryptoki/sun.security.pkcs11.wrapper=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            String.join(
                ":",
                place(SigningNode.class),
                place(HsmSigner.class),
                place(WrapperCryptoki.wrapperLibrary())),
            SigningNode.class.getName(),
            module.library().toString(),
            token.label(),
            token.pin().path().toString(),
            Boolean.toString(isIsolated)));
    return command;
  }

  private static String place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return Path.of(URI.create(source.getLocation().toString())).toString();
  }

  /** Prints {@code signed} with each signature's number. */
  public static void main(String[] arguments) {
    PinFile pin = new PinFile(Path.of(arguments[2]));
    KeyRef key;
    try (KeyCeremony ceremony = KeyCeremony.open(Path.of(arguments[0]), arguments[1], pin)) {
      key = ceremony.generateIfAbsent(CkaId.parse("01"), "node", KeyAlgorithm.EC_P256);
    }
    HsmSettings settings =
        HsmSettings.of(Path.of(arguments[0]), arguments[1], pin)
            .withSessions(2)
            .withIsolated(Boolean.parseBoolean(arguments[3]));
    try (HsmSigner signer = HsmSigner.open(settings, List.of(key), HsmObserver.NONE)) {
      for (int number = 0; ; number++) {
        byte[] signature =
            signer.sign(
                new SignRequest(
                    key,
                    Mechanism.ECDSA_SHA256,
                    new byte[32],
                    SignSchedule.by(System.nanoTime() + 60_000_000_000L)));
        System.out.println("signed " + number + ": " + signature.length);
      }
    }
  }
}
