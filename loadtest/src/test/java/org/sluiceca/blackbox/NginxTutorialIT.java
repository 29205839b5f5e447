package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The commands of docs/NGINX.md as a reader types them, with a real nginx. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class NginxTutorialIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  private static final Pattern COMMANDS = Pattern.compile("(?ms)^```sh\n(.*?)^```$");

  @TempDir private Path checkout;

  @Test
  void tutorial_commands_doWhatThePageSays() throws Exception {
    Optional<Path> nginx = Checkout.tool("nginx");
    assumeTrue(nginx.isPresent(), "nginx is not installed");
    String port = Integer.toString(Ports.NODES.free(1));
    String commands =
        COMMANDS
            .matcher(Checkout.text("docs/NGINX.md"))
            .results()
            .map(block -> block.group(1))
            .collect(Collectors.joining("echo --\n"))
            .replace("8444", port);
    Files.createSymbolicLink(checkout.resolve("var"), TRIAL.trial().data());
    Files.createSymbolicLink(checkout.resolve("sluice"), Checkout.launcher());

    Program.Ended ended =
        Program.of("bash", "-euo", "pipefail", "-c", "cd '" + checkout + "'\n" + commands)
            .with(
                Map.of(
                    "SLUICE_DATA",
                    TRIAL.trial().data().toString(),
                    "PATH",
                    nginx.get().getParent() + ":" + System.getenv("PATH")))
            .run();

    if (Files.exists(checkout.resolve("web/nginx.pid"))) {
      // It has not come to its last command.
      Program.of(nginx.get(), "-p", checkout.resolve("web"), "-c", "nginx.conf", "-s", "stop")
          .run();
    }
    assertThat(ended.ok().text())
        .contains("Hello from a certificate of your own", "serial=", "ExecStart=");
    assertThat(ended.text().split("Hello", -1)).hasSize(3);
    assertThat(ended.errors()).contains("is due at", "renewed as");
    assertThat(Files.readString(checkout.resolve("web/error.log"))).doesNotContain("[emerg]");
  }
}
