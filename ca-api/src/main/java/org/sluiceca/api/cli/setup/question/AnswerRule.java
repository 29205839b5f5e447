package org.sluiceca.api.cli.setup.question;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.sluiceca.api.cli.ceremony.option.KeyAlgorithmOption;
import org.sluiceca.api.cli.ceremony.option.SubjectOption;
import org.sluiceca.api.enrollment.renewal.ServiceUrl;
import picocli.CommandLine.TypeConversionException;

/** What an answer may look like. Each has a length, and none has control characters. */
enum AnswerRule {
  /** A {@code jdbc:postgresql:} URL without a password: everyone here can read a command line. */
  DATABASE_URL(1000) {
    @Override
    String faultOf(String answer) {
      String lower = answer.toLowerCase(Locale.ROOT);
      if (!answer.startsWith("jdbc:postgresql:")) {
        return "begins with jdbc:postgresql:, as jdbc:postgresql://db.example.com/sluice";
      }
      return lower.contains("password=")
          ? "must not hold a password: it belongs into a file"
          : settingFault(answer);
    }
  },
  /** PostgreSQL's NAMEDATALEN. */
  ROLE(63) {
    @Override
    String faultOf(String answer) {
      return settingFault(answer);
    }
  },
  /** A file, absolute: a node has another working directory than this program. */
  PATH(1024) {
    @Override
    String faultOf(String answer) {
      return answer.startsWith("/") ? settingFault(answer) : "is an absolute path";
    }
  },
  /** CK_TOKEN_INFO's label. */
  TOKEN_LABEL(32) {
    @Override
    String faultOf(String answer) {
      return settingFault(answer);
    }
  },
  /** A node's name, which is part of claims, log lines and metrics. */
  NODE_NAME(40) {
    @Override
    String faultOf(String answer) {
      return NAME.matcher(answer).matches() ? "" : "is of a-z, 0-9, '.', '_' and '-'";
    }
  },
  /** An IP address. */
  ADDRESS(45) {
    @Override
    String faultOf(String answer) {
      try {
        InetAddress _ = InetAddress.ofLiteral(answer);
        return "";
      } catch (IllegalArgumentException e) {
        return "is an IP address, as 192.0.2.10";
      }
    }
  },
  /** It stands in every certificate, so it is short, and has nothing that clients leave out. */
  PUBLIC_URL(200) {
    @Override
    String faultOf(String answer) {
      try {
        URI uri = new URI(answer);
        boolean isBase =
            ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                && uri.getHost() != null
                && isPort(uri)
                && uri.getRawUserInfo() == null
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null;
        return isBase ? settingFault(answer) : PUBLIC_URL_IS;
      } catch (URISyntaxException e) {
        return PUBLIC_URL_IS;
      }
    }
  },
  /** The rule of a node's setting. */
  SERVICE_URL(200) {
    @Override
    String faultOf(String answer) {
      try {
        ServiceUrl _ = ServiceUrl.parse(answer);
        return settingFault(answer);
      } catch (IllegalArgumentException e) {
        return "is https://host or https://host:port, without a path";
      }
    }
  },
  /** The rule of the ceremony's steps. */
  SUBJECT(500) {
    @Override
    String faultOf(String answer) {
      try {
        var _ = new SubjectOption().convert(answer);
        return "";
      } catch (TypeConversionException | IllegalArgumentException e) {
        return "is CN=...,O=...,C=...: " + e.getMessage();
      }
    }
  },
  /** The rule of the ceremony's steps. */
  KEY_ALGORITHM(20) {
    @Override
    String faultOf(String answer) {
      return KeyAlgorithmOption.isKnown(answer)
          ? ""
          : "is one of rsa-2048 rsa-3072 rsa-4096 ec-p256 ec-p384 ec-p521 ed25519";
    }
  },
  /** Which CA signs the issuing CA's certificate. */
  ROOT_CA(10) {
    @Override
    String faultOf(String answer) {
      return Set.of("own", "external").contains(answer) ? "" : "is own or external";
    }
  },
  /** A number of nodes. */
  NODES(3) {
    @Override
    String faultOf(String answer) {
      return numberFault(answer, 1, 64);
    }
  },
  /** A number of days. */
  DAYS(4) {
    @Override
    String faultOf(String answer) {
      return numberFault(answer, 1, 3650);
    }
  };

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]*");

  private static final String PUBLIC_URL_IS = "is http://host, perhaps with port and path";

  /**
   * What systemd's EnvironmentFile and a shell read alike, in double quotes where that is needed.
   */
  private static final Pattern SETTING = Pattern.compile("[ -~&&[^\"'\\\\$`]]+");

  private final int lengthMax;

  AnswerRule(int lengthMax) {
    this.lengthMax = lengthMax;
  }

  /** Returns what is wrong with an answer, as the end of a sentence; empty if nothing is. */
  Optional<String> fault(String answer) {
    if (answer.isBlank()) {
      return Optional.of("is empty");
    }
    if (answer.length() > lengthMax) {
      return Optional.of(
          String.format(Locale.ROOT, "has %d characters, allowed %d", answer.length(), lengthMax));
    }
    if (answer.chars().anyMatch(Character::isISOControl)) {
      return Optional.of("has a control character");
    }
    if (!answer.equals(answer.strip())) {
      return Optional.of("begins or ends with a blank");
    }
    String fault = faultOf(answer);
    return fault.isEmpty() ? Optional.empty() : Optional.of(fault);
  }

  /** Returns the fault, or an empty text. */
  abstract String faultOf(String answer);

  /** A URI takes any number, and a colon alone. */
  private static boolean isPort(URI uri) {
    return uri.getPort() == -1
        ? !uri.getRawAuthority().endsWith(":")
        : uri.getPort() > 0 && uri.getPort() <= 65_535;
  }

  private static String settingFault(String answer) {
    return SETTING.matcher(answer).matches()
        ? ""
        : "has a quote, a backslash, '$', '`' or a letter beyond ASCII, which no setting may have";
  }

  private static String numberFault(String answer, int least, int most) {
    String is = String.format(Locale.ROOT, "is a number from %d to %d", least, most);
    if (!answer.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
      return is;
    }
    int number = Integer.parseInt(answer);
    return number >= least && number <= most ? "" : is;
  }
}
