package org.sluiceca.api.validation;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The points of the network that must agree with this node about a proof: an attacker who can
 * deceive one of them, by DNS or by routes, gets no certificate.
 *
 * @param all in the order of the configuration; none for this node's own view alone
 * @param agree how many of them have to see the proof, 1 to all; 0 if there are none
 */
public record Perspectives(List<Perspective> all, int agree) {

  /** Each makes the look-ups and connections of an attempt once more. */
  public static final int MAX = 8;

  /**
   * @throws IllegalArgumentException with one line for the operator if there are too many, two have
   *     one name or see the same, or {@code agree} is out of range
   */
  public Perspectives {
    all = List.copyOf(all);
    if (all.size() > MAX) {
      throw new IllegalArgumentException(
          "an endpoint has at most " + MAX + " perspectives, not " + all.size());
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < all.size(); i++) {
      Perspective one = all.get(i);
      if (!names.add(one.name())) {
        throw new IllegalArgumentException("two perspectives have the name " + one.name());
      }
      all.subList(0, i).stream()
          .filter(one::seesAs)
          .findFirst()
          .ifPresent(
              other -> {
                throw new IllegalArgumentException(
                    "perspectives "
                        + other.name()
                        + " and "
                        + one.name()
                        + " have the same resolvers and source-address");
              });
    }
    if (all.isEmpty() ? agree != 0 : agree < 1 || agree > all.size()) {
      throw new IllegalArgumentException(
          all.isEmpty()
              ? "perspectives-agree needs perspectives"
              : "perspectives-agree must be 1 to " + all.size() + ", the number of perspectives");
    }
  }

  /** Returns no perspectives. */
  public static Perspectives none() {
    return new Perspectives(List.of(), 0);
  }

  /**
   * One more point of the network from which a proof is looked for.
   *
   * @param name for messages, 1 to 40 of a-z, 0-9 and -, first a letter
   * @param resolvers recursive name servers, 1 to {@value ValidationTerms#RESOLVERS_MAX}
   * @param source the address of this host from which it asks DNS and connects; empty for the one
   *     that the system chooses
   */
  public record Perspective(
      String name, List<InetSocketAddress> resolvers, Optional<InetAddress> source) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");

    /**
     * @throws IllegalArgumentException with one line for the operator if a value is out of range,
     *     or the resolvers cannot be asked from the source address
     */
    public Perspective {
      resolvers = List.copyOf(resolvers);
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "the name of a perspective must be 1 to 40 of a-z, 0-9 and -, first a letter");
      }
      if (resolvers.isEmpty() || resolvers.size() > ValidationTerms.RESOLVERS_MAX) {
        throw new IllegalArgumentException(
            "perspective "
                + name
                + " needs 1 to "
                + ValidationTerms.RESOLVERS_MAX
                + " resolvers of its own");
      }
      if (source.isPresent()) {
        InetAddress from = source.get();
        if (from.isAnyLocalAddress() || from.isMulticastAddress()) {
          throw new IllegalArgumentException(
              "the source-address of perspective " + name + " must be one address of this host");
        }
        if (resolvers.stream().anyMatch(r -> r.getAddress().getClass() != from.getClass())) {
          throw new IllegalArgumentException(
              "the resolvers of perspective "
                  + name
                  + " must be of the IP version of its source-address, from which they are asked");
        }
      }
    }

    /**
     * Returns why this host cannot connect from the source address; empty if it can, or none is
     * set. Opens a socket for it, and sends nothing.
     */
    public Optional<String> sourceFault() {
      if (source.isEmpty()) {
        return Optional.empty();
      }
      try (DatagramSocket _ = new DatagramSocket(0, source.get())) {
        return Optional.empty();
      } catch (SocketException _) {
        return Optional.of(
            "the source-address "
                + Endpoint.text(source.get())
                + " of perspective "
                + name
                + " is not an address of this host");
      }
    }

    /** Returns whether these are its resolvers, in any order. */
    boolean hasResolvers(List<InetSocketAddress> others) {
      return Set.copyOf(resolvers).equals(Set.copyOf(others));
    }

    /** Returns whether another one sees the same. */
    boolean seesAs(Perspective other) {
      return hasResolvers(other.resolvers) && source.equals(other.source);
    }
  }
}
