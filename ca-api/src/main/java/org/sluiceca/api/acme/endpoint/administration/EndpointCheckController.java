package org.sluiceca.api.acme.endpoint.administration;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/endpoints:check}: what adding a file would answer, and what its activation would
 * change. A path of its own, so that a node of an older release refuses it instead of storing the
 * file. Roles are asked for by the routes.
 */
@RestController
final class EndpointCheckController {

  private final EndpointAdministration endpoints;

  EndpointCheckController(EndpointAdministration endpoints) {
    this.endpoints = endpoints;
  }

  @PostMapping(path = "/v1/endpoints:check", consumes = EndpointsController.YAML)
  CheckedEndpoint check(@RequestBody byte[] file) {
    EndpointAnswer answer = endpoints.check(file);
    if (answer instanceof EndpointAnswer.Sound sound) {
      return CheckedEndpoint.of(sound, file);
    }
    throw EndpointsController.refused(answer);
  }
}
