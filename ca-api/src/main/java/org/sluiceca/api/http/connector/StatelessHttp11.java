package org.sluiceca.api.http.connector;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.coyote.Adapter;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Serves one connection after another, each as if it were the first. Tomcat's own processor keeps
 * one thing of the connection before: that its last request was HTTP/0.9. The next client whose
 * request cannot be parsed would get a body without status line and headers. {@code recycle} is
 * final and the field private, so it is cleared by a handle; a version of Tomcat without the field
 * fails at start.
 */
final class StatelessHttp11 extends Http11Processor {

  private static final VarHandle HTTP_09 = http09();

  StatelessHttp11(AbstractHttp11Protocol<?> protocol, Adapter adapter) {
    super(protocol, adapter);
  }

  @Override
  public SocketState service(SocketWrapperBase<?> connection) throws IOException {
    HTTP_09.set(this, false);
    return super.service(connection);
  }

  private static VarHandle http09() {
    try {
      return MethodHandles.privateLookupIn(Http11Processor.class, MethodHandles.lookup())
          .findVarHandle(Http11Processor.class, "http09", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}
