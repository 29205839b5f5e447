package org.sluiceca.client.renew;

import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.connect.Purpose;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.ServiceCommand;
import org.sluiceca.client.key.IdentityFiles;
import org.sluiceca.client.key.IdentityOptions;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Durations;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import org.sluiceca.client.renew.Renewal.Outcome;
import org.sluiceca.client.timer.Program;
import org.sluiceca.client.timer.Timer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code sluice renew}: another certificate in the place of one of this machine's. */
@Command(
    name = "renew",
    description = {
      "Renew a certificate of this machine when it is time, and replace its files.",
      "Its own key proves who asks: no token is needed. A new key is made, of the same kind,",
      "unless --reuse-key."
    },
    footer = {
      "",
      "Examples:",
      "  sluice renew --cert www.pem --key www.key --after 'nginx -s reload'",
      "  sluice renew --cert www.pem --key www.key --after 'nginx -s reload' --install"
    })
public final class RenewCommand extends ServiceCommand {
  private static final Duration EVERY_LEAST = Duration.ofSeconds(10);
  private static final Duration EVERY_MOST = Duration.ofDays(30);
  private static final Duration EVERY_INSTALLED = Duration.ofHours(12);

  /** For the start of a process and its files, on a busy machine. */
  private static final Duration START = Duration.ofMinutes(5);

  private static final int HOOK_SECONDS_MAX = 3600;
  private static final RandomGenerator RANDOM = new SecureRandom();

  @Mixin private IdentityOptions identity = new IdentityOptions();

  @Option(
      names = "--service-url",
      paramLabel = "URL",
      description = "what the service calls itself, where --url names another (the first --url)")
  private @Nullable String serviceUrl;

  @Option(
      names = "--renew-before",
      paramLabel = "TIME",
      description = "renew this long before its end, e.g. 30d, 12h (after two thirds of its life)")
  private @Nullable String renewBefore;

  @Option(names = "--force", description = "renew now, whether or not it is time")
  private boolean force;

  @Option(names = "--reuse-key", description = "keep the key: only the certificate is replaced")
  private boolean reuseKey;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description =
          "stay, and look this often, e.g. 12h; with --install: the timer does (12h or less)")
  private @Nullable String every;

  @Option(
      names = "--before",
      paramLabel = "COMMAND",
      description = "run by the shell before anything is asked; if it fails nothing is")
  private @Nullable String before;

  @Option(
      names = "--after",
      paramLabel = "COMMAND",
      description = "run after the files were replaced; next time again if it fails")
  private @Nullable String after;

  @Option(
      names = "--hook-limit",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "after which such a command is ended (${DEFAULT-VALUE})")
  private int hookLimit;

  @Option(
      names = "--install",
      description = "have this system's timer run it: systemd, launchd, Windows tasks")
  private boolean install;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "with --install: the timer's name (the name of the certificate's file)")
  private @Nullable String name;

  @Option(names = "--dry-run", description = "with --install: print what would be installed")
  private boolean dryRun;

  @Option(
      names = "--json",
      description = "one JSON document: what came of it; with --every JSON lines, one a look")
  private boolean json;

  private final InstantSource clock;

  /** Prints on {@code console}. */
  public RenewCommand(Console console) {
    this(console, InstantSource.system());
  }

  RenewCommand(Console console, InstantSource clock) {
    super(console);
    this.clock = clock;
  }

  @Override
  protected Purpose purpose() {
    return Purpose.PUBLIC;
  }

  @Override
  protected void check() {
    identity.files();
    if (renewBefore != null) {
      Durations.parse(renewBefore, "--renew-before");
    }
    if (every != null) {
      Duration period = Durations.parse(every, "--every");
      if (period.compareTo(EVERY_LEAST) < 0 || period.compareTo(EVERY_MOST) > 0) {
        throw Failure.usage("--every is a time from 10s to 30d, not '" + every + "'");
      }
    }
    if (hookLimit < 1 || hookLimit > HOOK_SECONDS_MAX) {
      throw Failure.usage("--hook-limit is a number of seconds from 1 to " + HOOK_SECONDS_MAX);
    }
    if ((dryRun || name != null) && !install) {
      throw Failure.usage("--dry-run and --name belong to --install");
    }
    if (force && (install || every != null)) {
      throw Failure.usage("--force renews once: leave --every and --install out");
    }
    if (install && json) {
      throw Failure.usage("--install takes no --json");
    }
  }

  @Override
  protected int run(Service service) {
    Connection connection = service.connection();
    if (!(connection.credential() instanceof Credential.None)) {
      throw Failure.usage(
          "renew takes no --token-file and no --client-cert: the certificate's own key is enough");
    }
    URI named =
        serviceUrl == null
            ? connection.urls().getFirst()
            : Connection.base(serviceUrl, "--service-url");
    IdentityFiles files = identity.files();
    Due due = due();
    if (due.isAlways(files.read().certificate())) {
      throw Failure.usage("--renew-before is as long as the certificate's life, or longer");
    }
    if (install) {
      install(service, named, files, due);
      return 0;
    }
    Renewal.Terms terms =
        new Renewal.Terms(
            due, force, reuseKey, named, hook("--before", before), hook("--after", after));
    Renewal renewal = new Renewal(files, terms, clock, console());
    if (every == null) {
      say(files, renewal.run(service));
      return 0;
    }
    return stay(service, renewal, files, period(files, due));
  }

  private Due due() {
    return new Due(
        Optional.ofNullable(renewBefore).map(time -> Durations.parse(time, "--renew-before")));
  }

  private Optional<Hook> hook(String name, @Nullable String command) {
    return Optional.ofNullable(command)
        .map(text -> new Hook(name, text, Duration.ofSeconds(hookLimit)));
  }

  /** What comes once in this time comes several times between when it is due and its end. */
  private Duration period(IdentityFiles files, Due due) {
    Duration slack = due.slack(files.read().certificate());
    if (every == null) {
      Duration quarter = slack.dividedBy(4);
      Duration most = quarter.compareTo(EVERY_INSTALLED) < 0 ? quarter : EVERY_INSTALLED;
      return most.compareTo(EVERY_LEAST) < 0 ? EVERY_LEAST : most;
    }
    Duration period = Durations.parse(every, "--every");
    if (period.compareTo(slack.dividedBy(2)) > 0) {
      throw Failure.usage(
          "--every is too long: the certificate ends "
              + slack.toSeconds()
              + " s after it is due, look at least twice in that time");
    }
    return period;
  }

  /** Ends by a signal alone: a failure is said, and tried again sooner than usual. */
  private int stay(Service service, Renewal renewal, IdentityFiles files, Duration period) {
    while (true) {
      Duration pause = period;
      service.renewPatience();
      try {
        say(files, renewal.run(service));
      } catch (Failure e) {
        console().fail(String.valueOf(e.getMessage()));
        pause = period.dividedBy(4).compareTo(EVERY_LEAST) < 0 ? EVERY_LEAST : period.dividedBy(4);
      }
      // Machines that were started together do not come together.
      long tenth = pause.toMillis() / 10;
      Service.sleep(pause.plusMillis(RANDOM.nextLong(-tenth, tenth + 1)));
    }
  }

  private void say(IdentityFiles files, Outcome outcome) {
    if (json) {
      console()
          .raw(
              Json.line(
                  JsonNodeFactory.instance
                      .objectNode()
                      .put("renewed", outcome.renewed())
                      .put("file", files.certificateFile().toString())
                      .put("serial", RenewalProof.serial(outcome.certificate()))
                      .put("notAfter", outcome.certificate().getNotAfter().toInstant().toString())
                      .put("dueAt", outcome.dueAt().toString())));
    } else if (!outcome.renewed()) {
      console().say("%s is due at %s", files.certificateFile(), outcome.dueAt());
    }
  }

  private void install(Service service, URI named, IdentityFiles files, Due due) {
    files.read().requirePair();
    // It may name a password, which has no place in a file that all may read.
    service
        .proxy()
        .ifPresent(
            via -> console().note("%s is not in the timer's environment: set it there", via));
    Program program = new Program("renew");
    IdentityOptions.words(files).forEach(program::option);
    program
        .connection(service.connection())
        .option("--service-url", named.toString())
        .option("--renew-before", renewBefore)
        .flag("--reuse-key", reuseKey)
        .option("--before", before)
        .option("--after", after)
        .option("--hook-limit", Integer.toString(hookLimit))
        .option("--wait", Long.toString(service.patience().toSeconds()));
    Path certificate = files.certificateFile();
    Timer timer =
        Timer.ofThisSystem(
            new Timer.Job(
                name == null ? Timer.Job.name(certificate) : name,
                certificate,
                program.words(),
                period(files, due),
                service.patience().plusSeconds(2L * hookLimit).plus(START)));
    if (dryRun) {
      timer.print(console());
    } else {
      timer.install(console());
    }
  }
}
