package org.sluiceca.client.renew;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A property list for macOS (launchd.plist(5)): root's runs always, a user's while signed in. */
record Launchd(boolean root, Path home, Timer.Job job) implements Timer {

  @Override
  public Map<Path, String> files() {
    String text =
        String.format(
            Locale.ROOT,
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <!-- %s -->
            <plist version="1.0">
            <dict>
              <key>Label</key>
              <string>%s</string>
              <key>ProgramArguments</key>
              <array>
            %s
              </array>
              <key>RunAtLoad</key>
              <true/>
              <key>StartInterval</key>
              <integer>%d</integer>
              <key>Umask</key>
              <integer>63</integer>
            </dict>
            </plist>
            """,
            described(),
            label(),
            job.words().stream()
                .map(word -> "    <string>" + escaped(word) + "</string>")
                .collect(Collectors.joining("\n")),
            job.period().toSeconds());
    return Map.of(file(), text);
  }

  @Override
  public List<List<String>> commands() {
    return List.of(List.of("launchctl", "load", "-w", file().toString()));
  }

  /** Two hyphens would end the comment. */
  @Override
  public String described() {
    return escaped(job.description()).replace("--", "- -");
  }

  private Path file() {
    Path folder =
        root ? Path.of("/Library/LaunchDaemons") : home.resolve("Library").resolve("LaunchAgents");
    return folder.resolve(label() + ".plist");
  }

  private String label() {
    return "org.sluiceca.renew." + job.name();
  }

  /** Text of an XML element. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
