package org.sluiceca.client.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The files for systemd, launchd and the Task Scheduler, with words that need quotes. */
class TimerTest {
  private static final String HOOK = "echo \"100%\" > '/a b/$HOME' & nginx -s \\reload\\";

  @TempDir private Path home;

  private Timer timer(String system, boolean root, String... words) {
    return Timer.of(
        system,
        root,
        home,
        new Timer.Job(
            "www",
            Path.of("/etc/tls/www.pem"),
            List.of(words),
            Duration.ofHours(12),
            Duration.ofMinutes(8)));
  }

  @Test
  void systemd_root_systemUnitAndTimer() {
    Timer timer = timer("Linux", true, "/opt/jdk 25/bin/java", "renew", "--after", HOOK);

    assertThat(timer.files().keySet())
        .containsExactly(
            Path.of("/etc/systemd/system/sluice-renew-www.service"),
            Path.of("/etc/systemd/system/sluice-renew-www.timer"));
    assertThat(timer.files().values().iterator().next())
        .contains(
            "ExecStart=\"/opt/jdk 25/bin/java\" renew --after \"echo \\\"100%%\\\" > '/a b/$$HOME'"
                + " & nginx -s \\\\r"
                + "eload\\\\\"\n");
    assertThat(timer.commands().getLast())
        .containsExactly("systemctl", "enable", "--now", "sluice-renew-www.timer");
  }

  /** systemd 252 took what followed a carriage return for a directive of its own. */
  @Test
  void systemd_controlCharactersAndDollarInThePath_stayInTheirWords() {
    String service =
        timer("Linux", true, "/opt/a$b/java", "--after", "x\rUser=other\ny", "ü $HOME")
            .files()
            .values()
            .iterator()
            .next();

    assertThat(service)
        .contains(
            "ExecStart=/opt/a$b/java --after \"x\\x0dUser=other\\x0ay\" \"ü $$HOME\"\n",
            "Environment=LC_ALL=C.UTF-8\n",
            "TimeoutStartSec=480\n")
        .doesNotContain("\r");
  }

  @Test
  void systemd_aUser_ownFolderAndOwnManager() {
    Timer timer = timer("Linux", false, "java");

    assertThat(timer.files().keySet()).allMatch(file -> file.startsWith(home));
    assertThat(timer.commands()).allMatch(words -> words.contains("--user"));
  }

  @Test
  void launchd_plist_hasTheWords() throws Exception {
    Timer timer = timer("Mac OS X", true, "/usr/bin/java", "--after", HOOK);
    Path file = Path.of("/Library/LaunchDaemons/org.sluiceca.renew.www.plist");
    String text = Objects.requireNonNull(timer.files().get(file));

    NodeList words =
        ((Element) xml(text).getElementsByTagName("array").item(0)).getElementsByTagName("string");

    assertThat(IntStream.range(0, words.getLength()).mapToObj(i -> words.item(i).getTextContent()))
        .containsExactly("/usr/bin/java", "--after", HOOK);
    assertThat(text).contains("<integer>43200</integer>");
    // Two hyphens must not end the comment.
    Timer hyphens =
        Timer.of(
            "Mac OS X",
            true,
            home,
            new Timer.Job(
                "a",
                Path.of("/a---b.pem"),
                List.of("x"),
                Duration.ofHours(1),
                Duration.ofHours(1)));
    assertThat(
            xml(hyphens.files().values().iterator().next())
                .getElementsByTagName("dict")
                .getLength())
        .isEqualTo(1);
  }

  /** Backslashes count only before a quote, as CommandLineToArgvW reads them. */
  @Test
  void windows_task_hasTheWords() throws Exception {
    Timer timer =
        timer("Windows 11", false, "C:\\Program Files\\java.exe", "a b\\", "c\\d", "say \"x\"");
    Path file = home.resolve("sluice-renew-www.xml");
    Document task = xml(Objects.requireNonNull(timer.files().get(file)).substring(1));

    assertThat(task.getElementsByTagName("Command").item(0).getTextContent())
        .isEqualTo("C:\\Program Files\\java.exe");
    assertThat(task.getElementsByTagName("Arguments").item(0).getTextContent())
        .isEqualTo("\"a b\\\\\" c\\d \"say \\\"x\\\"\"");
    assertThat(timer.commands().getFirst()).contains("schtasks", file.toString());
  }

  /** The octets that schtasks reads, and words as the started program gets them. */
  @Test
  void windows_taskWithAnyWords_arriveAsTheyWere() throws Exception {
    Random random = new Random(20261127);
    String alphabet = "ab \\\"\\\"%&<>|^'\t=\u00fc,;()";
    for (int i = 0; i < 300; i++) {
      List<String> words = new ArrayList<>(List.of("C:\\Program Files\\java.exe"));
      for (int j = random.nextInt(5); j >= 0; j--) {
        StringBuilder word = new StringBuilder();
        for (int k = random.nextInt(9); k > 0; k--) {
          word.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        words.add(word.toString());
      }
      Timer timer = timer("Windows Server 2025", false, words.toArray(String[]::new));
      String text = timer.files().values().iterator().next();
      byte[] octets = text.getBytes(timer.charset());
      assertThat(octets).startsWith(0xFF, 0xFE);

      Document task =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(octets));
      String line = task.getElementsByTagName("Arguments").item(0).getTextContent();

      assertThat(argv(line)).as(line).isEqualTo(words.subList(1, words.size()));
      assertThat(task.getElementsByTagName("Command").item(0).getTextContent())
          .isEqualTo(words.getFirst());
    }
  }

  /** CommandLineToArgvW, as Microsoft's documentation of it says, for words after the first. */
  private static List<String> argv(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean isQuoted = false;
    boolean isWord = false;
    for (int i = 0; i < line.length(); i++) {
      int slashes = 0;
      while (i < line.length() && line.charAt(i) == '\\') {
        slashes++;
        i++;
      }
      boolean beforeQuote = i < line.length() && line.charAt(i) == '"';
      word.append("\\".repeat(beforeQuote ? slashes / 2 : slashes));
      isWord |= slashes > 0;
      if (i == line.length()) {
        break;
      }
      char c = line.charAt(i);
      if (beforeQuote && slashes % 2 == 0) {
        isQuoted = !isQuoted;
        isWord = true;
      } else if (!isQuoted && (c == ' ' || c == '\t')) {
        if (isWord) {
          words.add(word.toString());
        }
        word.setLength(0);
        isWord = false;
      } else {
        word.append(c);
        isWord = true;
      }
    }
    if (isWord) {
      words.add(word.toString());
    }
    return words;
  }

  /** Two certificates of one name in two folders: the second must not end the first one's timer. */
  @ParameterizedTest
  @ValueSource(strings = {"Linux", "Mac OS X", "Windows 11"})
  void install_fileOfAnotherCertificate_staysAndSaysSo(String system) throws Exception {
    Timer timer = timer(system, false, "java");
    // By this an installation knows its own files again.
    assertThat(timer.files().values()).allMatch(text -> text.contains("Renew /etc/tls/www.pem by"));
    Path file = timer.files().keySet().iterator().next();
    Files.createDirectories(file.getParent());
    PrintWriter writer = new PrintWriter(Writer.nullWriter());
    Console nowhere = new Console(writer, writer);
    Files.writeString(file, "Description=Renew /srv/www.pem by Sluice\n");

    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> timer.install(nowhere))
        .withMessageContaining("choose another --name");
    assertThat(file).content().contains("/srv/www.pem");
  }

  @ParameterizedTest
  @CsvSource({
    "/etc/tls/www.example.com.pem, www-example-com",
    "/etc/tls/my units!.p12, my-units-",
    "/etc/tls/live, live"
  })
  void name_ofAFile_safeOnAllSystems(String file, String name) {
    assertThat(Timer.Job.name(Path.of(file))).isEqualTo(name);
  }

  private static Document xml(String text) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    byte[] octets = text.replace("UTF-16", "UTF-8").getBytes(StandardCharsets.UTF_8);
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(octets));
  }
}
