package org.sluiceca.client.timer;

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
              <key>StandardErrorPath</key>
              <string>%s</string>
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
            job.period().toSeconds(),
            escaped(log().toString()));
    return Map.of(file(), text);
  }

  @Override
  public List<List<String>> commands() {
    // One that is loaded must go first; there is none at the first installation.
    String words = "launchctl unload \"$0\" 2>/dev/null; launchctl load -w \"$0\"";
    return List.of(List.of("/bin/sh", "-c", words, file().toString()));
  }

  /** Two hyphens would end the comment. */
  @Override
  public String described() {
    return escaped(job.description()).replaceAll("-(?=-)", "- ");
  }

  private Path file() {
    Path folder =
        root ? Path.of("/Library/LaunchDaemons") : home.resolve("Library").resolve("LaunchAgents");
    return folder.resolve(label() + ".plist");
  }

  private Path log() {
    Path logs = root ? Path.of("/Library/Logs") : home.resolve("Library").resolve("Logs");
    return logs.resolve(label() + ".log");
  }

  private String label() {
    return "org.sluiceca.renew." + job.name();
  }

  /** Text of an XML element. */
  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
