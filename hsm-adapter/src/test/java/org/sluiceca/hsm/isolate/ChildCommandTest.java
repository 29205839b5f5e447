package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a module's process finds its classes. */
class ChildCommandTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void of_exploded_javaOfThisRuntimeWithModuleAndLabelOnly() throws IOException {
    ProcessBuilder builder = ChildCommand.of(Path.of("/lib/m.so"), "my token", folder);

    assertThat(builder.command()).startsWith(System.getProperty("java.home") + "/bin/java");
    assertThat(builder.command())
        .endsWith("org.sluiceca.hsm.isolate.child.ModuleMain", "/lib/m.so", "my token");
    assertThat(builder.environment()).doesNotContainKeys("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");
  }

  @Test
  void place_fileWithBlanks_asItIs() throws IOException {
    assertThat(ChildCommand.place("file:/a%20b/classes/", folder))
        .isEqualTo(Path.of("/a b/classes"));
  }

  @Test
  void place_jarWithinBootsJar_copied() throws IOException {
    Path jar = folder.resolve("ca api.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("BOOT-INF/lib/hsm-adapter.jar"));
      zip.write(new byte[] {1, 2, 3});
      zip.closeEntry();
    }
    String location = "jar:nested:" + folder + "/ca%20api.jar/!BOOT-INF/lib/hsm-adapter.jar!/";

    Path copy = ChildCommand.place(location, folder);

    assertThat(copy).hasBinaryContent(new byte[] {1, 2, 3}).hasFileName("hsm-adapter.jar");
    assertThatThrownBy(() -> ChildCommand.place(location.replace("hsm-adapter", "other"), folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no jar BOOT-INF/lib/other.jar in ");
  }

  @Test
  void place_elsewhere_refused() {
    assertThatThrownBy(() -> ChildCommand.place("https://example.com/x.jar", folder))
        .isInstanceOf(IOException.class)
        .hasMessage("no process can be started with classes from https://example.com/x.jar");
  }
}
