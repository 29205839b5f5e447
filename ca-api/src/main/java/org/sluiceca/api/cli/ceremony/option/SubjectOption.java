package org.sluiceca.api.cli.ceremony.option;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.NameAttribute;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads {@code --subject "C=DE,O=Example,CN=Example Root CA"}, in encoding order. A comma inside a
 * value is written {@code \,}.
 */
public final class SubjectOption implements ITypeConverter<DistinguishedName> {

  private static final Pattern SEPARATOR = Pattern.compile("(?<!\\\\),");

  @Override
  public DistinguishedName convert(String text) {
    List<Attribute> attributes = new ArrayList<>();
    for (String part : SEPARATOR.splitAsStream(text).toList()) {
      int equals = part.indexOf('=');
      if (equals < 1) {
        throw new TypeConversionException("expected TYPE=value, found '" + part + "'");
      }
      String type = part.substring(0, equals).strip();
      attributes.add(
          new Attribute(
              NameAttribute.named(type)
                  .orElseThrow(
                      () -> new TypeConversionException("unknown attribute '" + type + "'")),
              part.substring(equals + 1).strip().replace("\\,", ",")));
    }
    return new DistinguishedName(attributes);
  }
}
