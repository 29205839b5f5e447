package org.sluiceca.client.timer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A service of type oneshot and its timer (systemd.service(5), systemd.timer(5)); those of a user
 * who is not root run while that user is signed in or lingers.
 */
record Systemd(boolean root, Path home, Timer.Job job) implements Timer {
  private static final Duration SPREAD_MOST = Duration.ofHours(1);

  @Override
  public Map<Path, String> files() {
    Path folder =
        root ? Path.of("/etc/systemd/system") : home.resolve(".config").resolve("systemd/user");
    Map<Path, String> files = new LinkedHashMap<>();
    files.put(folder.resolve(unit() + ".service"), service());
    files.put(folder.resolve(unit() + ".timer"), timer());
    return files;
  }

  @Override
  public List<List<String>> commands() {
    return List.of(
        systemctl(List.of("daemon-reload")),
        systemctl(List.of("enable", "--now", unit() + ".timer")));
  }

  private List<String> systemctl(List<String> words) {
    List<String> all = new ArrayList<>(List.of("systemctl"));
    if (!root) {
      all.add("--user");
    }
    all.addAll(words);
    return all;
  }

  @Override
  public String described() {
    return job.description().replace("%", "%%");
  }

  @Override
  public Optional<String> advice() {
    return root
        ? Optional.empty()
        : Optional.of(
            "this timer runs while you are signed in; always, after: loginctl enable-linger");
  }

  private String unit() {
    return "sluice-renew-" + job.name();
  }

  private String service() {
    return String.format(
        Locale.ROOT,
        """
        [Unit]
        Description=%s
        Wants=network-online.target
        After=network-online.target

        [Service]
        Type=oneshot
        ExecStart=%s
        Environment=LC_ALL=C.UTF-8
        TimeoutStartSec=%d
        UMask=0077
        """,
        described(),
        Stream.concat(
                Stream.of(quoted(job.words().getFirst())),
                job.words().stream().skip(1).map(word -> quoted(word.replace("$", "$$"))))
            .collect(Collectors.joining(" ")),
        job.limit().toSeconds());
  }

  private String timer() {
    long seconds = job.period().toSeconds();
    long spread = Math.min(seconds / 10, SPREAD_MOST.toSeconds());
    return String.format(
        Locale.ROOT,
        """
        [Unit]
        Description=%s, when it is due

        [Timer]
        OnActiveSec=1min
        OnUnitActiveSec=%ds
        RandomizedDelaySec=%ds
        AccuracySec=1s

        [Install]
        WantedBy=timers.target
        """,
        described(),
        seconds,
        spread);
  }

  /** systemd.service(5), "Command lines": quotes, backslashes, specifiers, control characters. */
  private static String quoted(String word) {
    String plain = word.replace("%", "%%");
    if (plain.matches("[A-Za-z0-9_@%+=:,./$-]+")) {
      return plain;
    }
    StringBuilder text = new StringBuilder("\"");
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt(i);
      if (c < ' ' || c == '\u007f') {
        text.append(String.format(Locale.ROOT, "\\x%02x", (int) c));
      } else {
        text.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return text.append('"').toString();
  }
}
