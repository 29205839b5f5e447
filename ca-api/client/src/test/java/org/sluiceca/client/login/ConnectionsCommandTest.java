package org.sluiceca.client.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.connect.ConnectionFile;
import org.sluiceca.client.shell.SchemaFile;

class ConnectionsCommandTest {
  @TempDir private Path folder;

  @Test
  void document_noneAndTwo_asTheSchemaSays() throws Exception {
    ConnectionFile file = new ConnectionFile(folder.resolve("connections.json"));
    assertThat(SchemaFile.faults("connections", json(file))).isEmpty();

    file.put("prod", entry("https://ca1:8443", "/etc/web.token"), false);
    file.put("all", entry("https://ca2:8443", null), false);

    assertThat(SchemaFile.faults("connections", json(file))).isEmpty();
    assertThat(json(file))
        .isEqualTo(
            "{\"default\":\"prod\",\"connections\":[{\"name\":\"all\",\"urls\":[\"https://ca2:8443\"]},"
                + "{\"name\":\"prod\",\"urls\":[\"https://ca1:8443\"],\"tokenFile\":\"/etc/web.token\"}]}");
  }

  private static String json(ConnectionFile file) {
    return ConnectionsCommand.document(file).toString();
  }

  private static ConnectionFile.Entry entry(String url, @Nullable String tokenFile) {
    return new ConnectionFile.Entry(List.of(url), null, tokenFile, null, null, null);
  }
}
