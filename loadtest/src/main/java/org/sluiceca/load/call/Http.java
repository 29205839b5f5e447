package org.sluiceca.load.call;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.sluiceca.load.cli.TrialException;

/** Sends requests whose answer is needed. */
public final class Http {

  private Http() {}

  /**
   * Sends a request and returns the answer, whatever its status.
   *
   * @throws TrialException if there is none
   */
  public static <T> HttpResponse<T> send(
      HttpClient client, HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    try {
      return client.send(request, handler);
    } catch (IOException e) {
      throw new TrialException("no answer from " + request.uri(), e);
    } catch (InterruptedException e) {
      throw Wait.interrupted(e);
    }
  }
}
