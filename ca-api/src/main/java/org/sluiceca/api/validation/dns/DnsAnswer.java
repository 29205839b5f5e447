package org.sluiceca.api.validation.dns;

import java.net.InetSocketAddress;
import java.util.List;
import org.xbill.DNS.Record;

/** What one name server says about one name and type. */
public sealed interface DnsAnswer {

  /** Returns the name server. */
  InetSocketAddress server();

  /** One record at least, all of the type that was asked, at the end of the aliases if any. */
  record Found(InetSocketAddress server, List<Record> records) implements DnsAnswer {}

  /** There is no such record. */
  record Absent(InetSocketAddress server, boolean nameExists) implements DnsAnswer {}

  /** No usable answer. */
  record Failed(InetSocketAddress server, String detail) implements DnsAnswer {}
}
