package org.sluiceca.client.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.sluiceca.client.key.KeyKind;
import org.sluiceca.client.key.PemFiles;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.Checkpoint;
import org.sluiceca.core.audit.ExportForm;
import org.sluiceca.core.x509.OctetString;

/** A small trail of two chains, its checkpoints, and the files that an auditor has of it. */
final class TrailFixture {
  private static final Instant AT = Instant.parse("2026-05-04T10:00:00.123456Z");
  private static final int ROWS = 4;

  final KeyPair key = KeyKind.EC_P256.generate();
  final List<AuditRow> rows = new ArrayList<>();
  final List<ExportForm.Stored> checkpoints = new ArrayList<>();

  /** Four rows of node-0.a and of node-1.b, and two checkpoints that cover them. */
  TrailFixture() throws GeneralSecurityException {
    chain("node-0.a");
    checkpoint(key, rows.getLast().head());
    chain("node-1.b");
    checkpoint(key, rows.getLast().head());
  }

  private void chain(String name) {
    ChainHead head = ChainHead.start(name);
    for (int i = 0; i < ROWS; i++) {
      AuditRow row =
          head.next(new AuditEvent(AT.plusSeconds(i), "test", "alice", "{\"é\":" + i + "}"));
      rows.add(row);
      head = row.head();
    }
  }

  void checkpoint(KeyPair signer, ChainHead head) throws GeneralSecurityException {
    OctetString previous =
        checkpoints.isEmpty()
            ? ChainHead.nothing()
            : Checkpoint.hash(checkpoints.getLast().encoded());
    Checkpoint next =
        new Checkpoint(checkpoints.size() + 1L, previous, AT.plusSeconds(ROWS), List.of(head));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(signer.getPrivate());
    signature.update(next.encoded().octets());
    checkpoints.add(
        new ExportForm.Stored(
            next.number(), next.encoded(), Optional.of(OctetString.copyOf(signature.sign()))));
  }

  /** The lines of an export, the end among them. */
  List<String> lines() {
    List<AuditRow> all = new ArrayList<>();
    checkpoints.forEach(checkpoint -> all.add(ExportForm.row(checkpoint)));
    all.addAll(rows);
    all.add(ExportForm.end(AT, new ExportForm.Counts(checkpoints.size(), rows.size(), false)));
    return new ArrayList<>(all.stream().map(TrailLine::of).map(String::strip).toList());
  }

  Path keyFile(Path folder) throws IOException {
    return Files.writeString(
        folder.resolve("audit.pem"), PemFiles.block("PUBLIC KEY", key.getPublic().getEncoded()));
  }

  /** The folder of a node with the first {@code count} checkpoints. */
  Path checkpointFiles(Path folder, int count) throws IOException {
    Path files = Files.createDirectories(folder.resolve("checkpoints"));
    for (ExportForm.Stored stored : checkpoints.subList(0, count)) {
      Files.writeString(
          files.resolve("checkpoint-" + stored.number() + ".json"),
          "{\"number\":%d,\"checkpoint\":\"%s\",\"signature\":\"%s\"}"
              .formatted(
                  stored.number(),
                  base64(stored.encoded()),
                  base64(stored.signature().orElseThrow())));
    }
    return files;
  }

  private static String base64(OctetString octets) {
    return Base64.getEncoder().encodeToString(octets.octets());
  }
}
