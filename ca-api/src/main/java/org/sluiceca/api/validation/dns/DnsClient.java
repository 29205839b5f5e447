package org.sluiceca.api.validation.dns;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.sluiceca.api.validation.Endpoint;
import org.sluiceca.api.validation.TimeLimit;
import org.sluiceca.api.validation.ValidationTerms;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/**
 * Asks name servers for one attempt. Keeps no answer: a proof is looked for at the time of the
 * attempt. UDP first, TCP for what does not fit. Immutable; its calls block until the limit at
 * most.
 */
public final class DnsClient {

  /** A resolver that has to walk from the root answers within; a lost datagram is sent again. */
  private static final Duration TRY = Duration.ofSeconds(3);

  /** Of each server: the second for a datagram that got lost. */
  private static final int TRIES = 2;

  /** Aliases from a name to its record; more are a mistake, or meant to keep this CA busy. */
  static final int ALIASES_MAX = 8;

  /** What passes each path without fragments (DNS flag day 2020). */
  private static final int PAYLOAD_BYTES = 1232;

  private final List<InetSocketAddress> servers;
  private final boolean allMustAgree;
  private final Optional<InetAddress> source;
  private final TimeLimit limit;

  /** The one that answered last: of a look-up's questions only the first waits for a dead one. */
  private volatile Optional<InetSocketAddress> proven = Optional.empty();

  private DnsClient(
      List<InetSocketAddress> servers,
      boolean allMustAgree,
      Optional<InetAddress> source,
      TimeLimit limit) {
    this.servers = servers;
    this.allMustAgree = allMustAgree;
    this.source = source;
    this.limit = limit;
  }

  /**
   * Returns a client that asks the resolvers of {@code terms} until {@code limit}.
   *
   * @param source the address of this host to ask from; empty for any
   */
  public static DnsClient of(ValidationTerms terms, Optional<InetAddress> source, TimeLimit limit) {
    List<InetSocketAddress> servers = terms.resolvers();
    if (servers.isEmpty()) {
      servers =
          ResolverConfig.getCurrentConfig().servers().stream()
              .limit(ValidationTerms.RESOLVERS_MAX)
              .toList();
    }
    return new DnsClient(servers, terms.allMustAgree(), source, limit);
  }

  /**
   * Asks for the records of a name.
   *
   * @param type of {@link Type}
   * @return one answer of each server if all must agree; otherwise that of the first that has one,
   *     or the last failure. Never empty
   */
  List<DnsAnswer> ask(String name, int type) {
    Name absolute;
    try {
      absolute = Name.fromString(name, Name.root);
    } catch (TextParseException e) {
      return List.of(
          new DnsAnswer.Failed(servers.getFirst(), "the name " + name + " is too long for DNS"));
    }
    if (allMustAgree) {
      return servers.stream().map(server -> repeated(List.of(server), absolute, type)).toList();
    }
    Stream<InetSocketAddress> others =
        servers.stream().filter(server -> !proven.equals(Optional.of(server)));
    DnsAnswer answer = repeated(Stream.concat(proven.stream(), others).toList(), absolute, type);
    if (!(answer instanceof DnsAnswer.Failed)) {
      proven = Optional.of(answer.server());
    }
    return List.of(answer);
  }

  private DnsAnswer repeated(List<InetSocketAddress> among, Name name, int type) {
    DnsAnswer last = new DnsAnswer.Failed(among.getFirst(), noTimeLeft(name, type));
    for (int i = 0; i < TRIES; i++) {
      for (InetSocketAddress server : among) {
        if (limit.isOver()) {
          return last;
        }
        last = once(server, name, type);
        if (!(last instanceof DnsAnswer.Failed)) {
          return last;
        }
      }
    }
    return last;
  }

  private String noTimeLeft(Name name, int type) {
    return "no time was left of " + limit.text() + " to ask for " + question(name, type);
  }

  /** Follows aliases, which a resolver does itself and a server of some zones only does not. */
  private DnsAnswer once(InetSocketAddress server, Name name, int type) {
    Set<Name> aliases = new HashSet<>();
    Name at = name;
    while (true) {
      Message message;
      try {
        message = send(server, at, type);
      } catch (FaultException e) {
        return new DnsAnswer.Failed(server, e.detail);
      }
      // Of the last alias (RFC 6604). Records of such an answer prove nothing.
      int rcode = message.getRcode();
      if (rcode == Rcode.NXDOMAIN) {
        return new DnsAnswer.Absent(server, false);
      }
      if (rcode != Rcode.NOERROR) {
        return new DnsAnswer.Failed(
            server,
            Rcode.string(rcode)
                + " from name server "
                + Endpoint.text(server)
                + " for "
                + question(name, type)
                + ": is the zone delegated, reachable and rightly signed?");
      }
      int before = aliases.size();
      while (true) {
        List<Record> found = records(message, at, type);
        if (!found.isEmpty()) {
          return new DnsAnswer.Found(server, found);
        }
        Optional<Name> target = alias(message, at);
        if (target.isEmpty()) {
          break;
        }
        if (!aliases.add(at) || aliases.size() > ALIASES_MAX) {
          return new DnsAnswer.Failed(
              server,
              "CNAME records of "
                  + text(name)
                  + " lead in a circle, or over more than "
                  + ALIASES_MAX
                  + " names");
        }
        at = target.get();
      }
      if (aliases.size() == before) {
        return new DnsAnswer.Absent(server, true);
      }
    }
  }

  private static List<Record> records(Message message, Name name, int type) {
    return message.getSection(Section.ANSWER).stream()
        .filter(record -> record.getType() == type && is(record, name))
        .toList();
  }

  private static Optional<Name> alias(Message message, Name name) {
    return message.getSection(Section.ANSWER).stream()
        .filter(record -> record instanceof CNAMERecord && is(record, name))
        .map(record -> ((CNAMERecord) record).getTarget())
        .findFirst();
  }

  private static boolean is(Record record, Name name) {
    return record.getDClass() == DClass.IN && record.getName().equals(name);
  }

  private Message send(InetSocketAddress server, Name name, int type) throws FaultException {
    Duration left = limit.left();
    Duration timeout = left.compareTo(TRY) < 0 ? left : TRY;
    SimpleResolver resolver = new SimpleResolver(server);
    resolver.setTimeout(timeout);
    source.ifPresent(resolver::setLocalAddress);
    resolver.setEDNS(0, PAYLOAD_BYTES, 0, List.of());
    CompletableFuture<Message> future =
        resolver
            .sendAsync(Message.newQuery(Record.newRecord(name, type, DClass.IN)))
            .toCompletableFuture();
    String of = " name server " + Endpoint.text(server) + " for " + question(name, type);
    try {
      // Twice: an answer that does not fit is asked for by TCP.
      Duration wait = left.compareTo(timeout.multipliedBy(2)) < 0 ? left : timeout.multipliedBy(2);
      return future.get(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new FaultException("no answer in time from" + of);
    } catch (ExecutionException e) {
      throw new FaultException(
          e.getCause() instanceof SocketTimeoutException
                  || e.getCause() instanceof TimeoutException
                  || String.valueOf(e.getMessage()).contains("imed out")
              ? "no answer in time from" + of
              : "no readable answer from" + of);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FaultException("interrupted while waiting for" + of);
    } finally {
      future.cancel(true);
    }
  }

  private static String question(Name name, int type) {
    return Type.string(type) + " of " + text(name);
  }

  private static String text(Name name) {
    return name.toString(true);
  }

  /** No message came. */
  private static final class FaultException extends Exception {
    private static final long serialVersionUID = 1L;
    private final String detail;

    FaultException(String detail) {
      super(detail, null, false, false);
      this.detail = detail;
    }
  }
}
