package org.sluiceca.api.auth;

import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.auth.oidc.OidcTokens;
import org.sluiceca.api.http.access.HttpMethods;
import org.sluiceca.api.http.access.RouteNames;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.http.problem.ProblemWriter;
import org.sluiceca.core.request.Role;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.AuthorizeHttpRequestsConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.context.NullSecurityContextRepository;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.security.web.savedrequest.NullRequestCache;
import org.springframework.security.web.savedrequest.RequestCache;

/**
 * Which route needs which role; a route that is not named here needs an authenticated requester.
 */
@Configuration(proxyBeanMethods = false)
public class SecurityConfiguration {

  /** What anybody may read. */
  private static final String[] PUBLIC = {
    "/v1/issuers/**", "/v1/profiles", "/issuers/**", "/crl/**", "/problems/**", "/v3/api-docs"
  };

  /** What asks for certificates. */
  private static final String[] ENROLLMENT = {"/v1/certificates", "/v1/certificates:batch"};

  private static final String RENEWAL = "/v1/certificates/*/renewal";

  /** By any token, for itself. */
  private static final String ROTATION = "/v1/credentials/self/rotation";

  private static final String PROFILE_VERSIONS = "/v1/profiles/*/versions/**";

  /** Reads no more than those routes do, and changes nothing. */
  private static final String[] CHECKS = {"/v1/profiles:check", "/v1/endpoints:check"};

  private static final String AUDIT = "/v1/audit/**";

  /** Each request is signed by an account or a key: the controller verifies it. */
  private static final String ACME = "/acme/**";

  private static final String BINDINGS = "/v1/acme-bindings/**";

  private static final String REQUESTS = "/v1/requests/**";
  private static final String ENDPOINTS = "/v1/endpoints/**";

  private static final String APPROVALS = "/v1/approvals/**";

  private static final String REVOCATIONS = "/v1/revocations/**";

  /**
   * A path with {@code //}, {@code ;}, {@code %2e} and the like: two readers might read it as two.
   */
  @Bean
  RequestRejectedHandler rejectedRequests(ProblemWriter problems, RouteNames names) {
    return (request, response, rejection) -> {
      if (!HttpMethods.SERVED.contains(request.getMethod())) {
        response.setHeader(HttpHeaders.ALLOW, names.allowed(request));
        problems.write(request, response, HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        return;
      }
      problems.write(
          request,
          response,
          new ProblemException(
              ProblemType.MALFORMED_REQUEST, "the request's path or headers are not acceptable"));
    };
  }

  /**
   * Spring's own. It refuses methods that no route has before anything is recorded of the request:
   * 405 with Allow (RFC 9110 15.5.6), with or without a credential. It judges characters as before,
   * at less cost.
   */
  @Bean
  HttpFirewall firewall() {
    StrictHttpFirewall firewall = new StrictHttpFirewall();
    firewall.setAllowedHttpMethods(HttpMethods.SERVED);
    firewall.setAllowedHeaderNames(HeaderCharacters::isName);
    firewall.setAllowedHeaderValues(HeaderCharacters::isValue);
    firewall.setAllowedParameterNames(HeaderCharacters::isName);
    return firewall;
  }

  @Bean
  AccessRecord accessRecord(AuditTrail trail, RouteNames names) {
    return new AccessRecord(trail, names);
  }

  @Bean
  SecurityFilterChain routes(
      HttpSecurity http,
      Authenticator authenticator,
      CertificateAuthenticator certificates,
      OidcTokens oidc,
      ProblemWriter problems,
      AccessRecord record)
      throws Exception {
    http.setSharedObject(RequestCache.class, new NullRequestCache());
    return http
        // No cookies; but a browser may offer its user's client certificate to what another site
        // has it send. Each act needs a content type or a method that a form cannot send
        // (OpenApiTest), and a script may only after a preflight, which nothing here allows.
        .csrf(AbstractHttpConfigurer::disable)
        // No sessions, so none is managed; who asks is known by this request alone, and what was
        // refused is not kept for later: Spring would make a session for either.
        .sessionManagement(AbstractHttpConfigurer::disable)
        .securityContext(
            context -> context.securityContextRepository(new NullSecurityContextRepository()))
        .requestCache(AbstractHttpConfigurer::disable)
        // Nothing asks the servlet's request who it is of.
        .servletApi(AbstractHttpConfigurer::disable)
        .anonymous(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .addFilterBefore(
            new AuthenticationFilter(authenticator, certificates, oidc, problems, record),
            AuthorizationFilter.class)
        // First, for it is asked most, and no other rule is of its paths.
        .authorizeHttpRequests(
            routes ->
                routes
                    .requestMatchers(HttpMethod.POST, ENROLLMENT)
                    .hasRole(Role.REQUESTER.name())
                    // The controller verifies it with the body, before anything else.
                    .requestMatchers(RenewalRequest::isProven)
                    .permitAll()
                    .requestMatchers(HttpMethod.POST, RENEWAL)
                    .hasRole(Role.REQUESTER.name()))
        .authorizeHttpRequests(SecurityConfiguration::administration)
        .authorizeHttpRequests(SecurityConfiguration::publicRoutes)
        .exceptionHandling(
            e ->
                e.authenticationEntryPoint(
                        (request, response, failure) -> {
                          record.loginFailed(request, "no valid credential");
                          problems.write(
                              request,
                              response,
                              new ProblemException(
                                  ProblemType.UNAUTHENTICATED,
                                  AuthenticationFilter.refusal(request)));
                        })
                    .accessDeniedHandler(
                        (request, response, failure) -> {
                          record.accessDenied(request);
                          problems.write(
                              request,
                              response,
                              new ProblemException(
                                  ProblemType.FORBIDDEN, "the requester lacks the role"));
                        }))
        .build();
  }

  private static void publicRoutes(
      AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry
          routes) {
    routes
        .requestMatchers(HttpMethod.GET, PUBLIC)
        .permitAll()
        .requestMatchers(HttpMethod.HEAD, PUBLIC)
        .permitAll()
        .requestMatchers("/ocsp/**", "/error", ACME)
        .permitAll()
        // Served on the management port only, which is not this one.
        .requestMatchers("/actuator/**")
        .permitAll()
        .anyRequest()
        .authenticated();
  }

  private static void administration(
      AuthorizeHttpRequestsConfigurer<HttpSecurity>.AuthorizationManagerRequestMatcherRegistry
          routes) {
    String officer = Role.OFFICER.name();
    String auditor = Role.AUDITOR.name();
    String admin = Role.ADMIN.name();
    for (HttpMethod reading : List.of(HttpMethod.GET, HttpMethod.HEAD)) {
      routes.requestMatchers(reading, REVOCATIONS).hasAnyRole(officer, auditor);
      routes.requestMatchers(reading, PROFILE_VERSIONS, ENDPOINTS).hasAnyRole(admin, auditor);
      routes.requestMatchers(reading, APPROVALS).hasAnyRole(admin, officer, auditor);
      routes.requestMatchers(reading, REQUESTS).hasAnyRole(admin, auditor);
      routes.requestMatchers(reading, "/v1/profiles").permitAll();
    }
    routes.requestMatchers(AUDIT).hasRole(auditor);
    routes.requestMatchers(REVOCATIONS).hasRole(officer);
    routes.requestMatchers(APPROVALS).hasAnyRole(admin, officer);
    routes.requestMatchers(CHECKS).hasAnyRole(admin, auditor);
    routes.requestMatchers(HttpMethod.POST, ROTATION).authenticated();
    routes
        .requestMatchers("/v1/profiles/**", "/v1/credentials/**", BINDINGS, ENDPOINTS)
        .hasRole(admin);
    routes.requestMatchers(HttpMethod.POST, "/v1/issuers/**").hasRole(admin);
  }
}
