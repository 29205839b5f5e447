package org.sluiceca.api.http.connector;

import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.http.edge.RequestId;
import org.sluiceca.api.http.problem.FixedProblem;
import org.sluiceca.api.http.problem.ProblemType;

/**
 * Reports what Tomcat itself refuses as a problem, where Tomcat would send a page in HTML. Tomcat
 * makes it by its name, so it is public and has a constructor without parameters.
 */
public final class ProblemReportValve extends ErrorReportValve {

  private static final Logger LOG = LoggerFactory.getLogger(ProblemReportValve.class);

  @Override
  protected void report(Request request, Response response, @Nullable Throwable thrown) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    ProblemType type = ProblemType.ofStatus(status);
    response.setStatus(type.status());
    String known = RequestId.of(request);
    String id = known == null ? RequestId.fresh() : known;
    if (type == ProblemType.INTERNAL) {
      LOG.error("request {} failed outside of the application", id, thrown);
    }
    try {
      response.setHeader(RequestId.HEADER, id);
      response.setContentType(FixedProblem.MEDIA_TYPE);
      byte[] body =
          FixedProblem.json(type, "the request is not HTTP as this service speaks it", id);
      response.setContentLength(body.length);
      response.getOutputStream().write(body);
      response.finishResponse();
    } catch (IOException e) {
      LOG.debug("no answer to request {}: {}", id, e.getMessage());
    }
  }
}
