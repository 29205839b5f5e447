package org.sluiceca.client.timer;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A task for the Task Scheduler (its XML schema 1.2), run by SYSTEM; the files are read by it, not
 * by the user who installs it.
 */
record WindowsTask(Path home, Timer.Job job) implements Timer {
  /** Byte order mark. */
  private static final String MARK = "\ufeff";

  @Override
  public Map<Path, String> files() {
    String text =
        String.format(
            Locale.ROOT,
            """
            <?xml version="1.0" encoding="UTF-16"?>
            <Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
              <RegistrationInfo>
                <Description>%s</Description>
              </RegistrationInfo>
              <Triggers>
                <TimeTrigger>
                  <Repetition>
                    <Interval>PT%dS</Interval>
                  </Repetition>
                  <StartBoundary>2026-01-01T00:00:00</StartBoundary>
                </TimeTrigger>
              </Triggers>
              <Principals>
                <Principal id="Author">
                  <UserId>S-1-5-18</UserId>
                </Principal>
              </Principals>
              <Settings>
                <StartWhenAvailable>true</StartWhenAvailable>
                <ExecutionTimeLimit>PT%dS</ExecutionTimeLimit>
              </Settings>
              <Actions Context="Author">
                <Exec>
                  <Command>%s</Command>
                  <Arguments>%s</Arguments>
                </Exec>
              </Actions>
            </Task>
            """,
            described(),
            Math.max(60, job.period().toSeconds()),
            job.limit().toSeconds(),
            Launchd.escaped(job.words().getFirst()),
            Launchd.escaped(
                job.words().stream()
                    .skip(1)
                    .map(WindowsTask::quoted)
                    .collect(Collectors.joining(" "))));
    return Map.of(file(), MARK + text);
  }

  /** What schtasks takes, with {@link #MARK}. */
  @Override
  public Charset charset() {
    return StandardCharsets.UTF_16LE;
  }

  @Override
  public String described() {
    return Launchd.escaped(job.description());
  }

  @Override
  public List<List<String>> commands() {
    return List.of(
        List.of(
            "schtasks",
            "/Create",
            "/F",
            "/TN",
            "Sluice renew " + job.name(),
            "/XML",
            file().toString()));
  }

  private Path file() {
    return home.resolve("sluice-renew-" + job.name() + ".xml");
  }

  /** As CommandLineToArgvW reads it: backslashes count only before a quote. */
  private static String quoted(String word) {
    if (!word.isEmpty() && word.matches("[^\\s\"]+")) {
      return word;
    }
    StringBuilder text = new StringBuilder("\"");
    int slashes = 0;
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      if (c == '\\') {
        slashes++;
        continue;
      }
      text.append("\\".repeat(c == '"' ? 2 * slashes + 1 : slashes)).append(c);
      slashes = 0;
    }
    return text.append("\\".repeat(2 * slashes)).append('"').toString();
  }
}
