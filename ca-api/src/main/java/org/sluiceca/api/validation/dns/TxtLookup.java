package org.sluiceca.api.validation.dns;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.api.validation.Endpoint;
import org.sluiceca.api.validation.ValidationException;
import org.sluiceca.api.validation.Verdict;
import org.xbill.DNS.Record;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/** The texts of a name's TXT records, as each server has them that was asked. */
final class TxtLookup {

  /** What is read of one name; other CAs' and a client's own are a few. */
  static final int RECORDS_MAX = 64;

  private TxtLookup() {}

  /**
   * What one server has.
   *
   * @param server for messages
   * @param texts octets as ISO 8859-1, strings of a record joined; none if there is no record
   */
  record Texts(String server, List<String> texts) {}

  /**
   * Blocks for the look-up.
   *
   * @throws ValidationException if a server that has to be asked gives no answer
   */
  static List<Texts> at(DnsClient dns, String name) throws ValidationException {
    List<Texts> all = new ArrayList<>();
    for (DnsAnswer answer : dns.ask(name, Type.TXT)) {
      String server = Endpoint.text(answer.server());
      switch (answer) {
        case DnsAnswer.Failed(var _, String detail) ->
            throw new ValidationException(Verdict.Kind.DNS, detail);
        case DnsAnswer.Absent _ -> all.add(new Texts(server, List.of()));
        case DnsAnswer.Found(var _, List<Record> records) ->
            all.add(
                new Texts(
                    server, records.stream().limit(RECORDS_MAX).map(TxtLookup::text).toList()));
      }
    }
    return all;
  }

  private static String text(Record record) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    if (record instanceof TXTRecord txt) {
      for (Object part : txt.getStringsAsByteArrays()) {
        joined.writeBytes((byte[]) part);
      }
    }
    return joined.toString(StandardCharsets.ISO_8859_1);
  }
}
