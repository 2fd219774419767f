package dev.xmem.springboot;

import dev.xmem.XMemStore;
import dev.xmem.micrometer.XMemMeters;
import dev.xmem.opentelemetry.SpanEvents;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.Span;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Meters if the application has xmem-micrometer, and events on spans if it has xmem-opentelemetry.
 *
 * @since 0.1
 */
@AutoConfiguration(before = XMemAutoConfiguration.class)
@ConditionalOnProperty(prefix = "xmem", name = "enabled", matchIfMissing = true)
public class XMemObservationAutoConfiguration {
    /** The meters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({XMemMeters.class, MeterRegistry.class})
    static class Meters {
        @Bean
        @ConditionalOnMissingBean
        XMemMeters xmemMeters() {
            return new XMemMeters();
        }

        /** The store listens to the meters, so they hear of it last. */
        @Bean
        SmartInitializingSingleton xmemMetersOfStore(XMemMeters meters, ObjectProvider<XMemStore> store) {
            return () -> store.ifUnique(meters::of);
        }
    }

    /** The events on spans. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({SpanEvents.class, Span.class})
    static class Spans {
        @Bean
        @ConditionalOnMissingBean
        SpanEvents xmemSpanEvents() {
            return new SpanEvents();
        }
    }
}
