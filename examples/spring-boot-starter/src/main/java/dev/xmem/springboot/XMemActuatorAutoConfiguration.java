package dev.xmem.springboot;

import dev.xmem.XMemStore;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The actuator endpoint {@code xmem} and the health of the store.
 *
 * @since 0.1
 */
@AutoConfiguration(after = XMemAutoConfiguration.class)
@ConditionalOnProperty(prefix = "xmem", name = "enabled", matchIfMissing = true)
@ConditionalOnSingleCandidate(XMemStore.class)
public class XMemActuatorAutoConfiguration {
    /** The endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class Endpoint {
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint(endpoint = XMemEndpoint.class)
        XMemEndpoint xmemEndpoint(XMemStore store) {
            return new XMemEndpoint(store);
        }
    }

    /** The health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class Health {
        @Bean
        @ConditionalOnMissingBean(name = "xmemHealthIndicator")
        @ConditionalOnEnabledHealthIndicator("xmem")
        HealthIndicator xmemHealthIndicator(XMemStore store) {
            return new XMemHealthIndicator(store);
        }
    }
}
