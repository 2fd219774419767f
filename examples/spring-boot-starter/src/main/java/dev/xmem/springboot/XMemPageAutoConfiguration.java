package dev.xmem.springboot;

import dev.xmem.XMemStore;
import dev.xmem.page.PageServer;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The page of the store, if {@code xmem.page.enabled} is set and the application has xmem-page. It has a server of its
 * own on the loopback interface, which ends before the store is closed. The actuator endpoint {@code xmempage}, which
 * is not exposed by default, gives an address that opens the page once.
 *
 * @since 0.1
 */
@AutoConfiguration(after = XMemAutoConfiguration.class)
@ConditionalOnClass(PageServer.class)
@ConditionalOnProperty(prefix = "xmem", name = "enabled", matchIfMissing = true)
@ConditionalOnProperty(prefix = "xmem.page", name = "enabled")
@ConditionalOnSingleCandidate(XMemStore.class)
public class XMemPageAutoConfiguration {
    private static final Log LOG = LogFactory.getLog(XMemPageAutoConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    PageServer xmemPage(XMemStore store, XMemProperties properties) {
        if (properties.inMemory()) {
            throw new IllegalStateException("xmem.page.enabled needs a store in a folder: set xmem.in-memory=false");
        }
        XMemProperties.Page page = properties.page();
        String token = page.token() == null ? UUID.randomUUID().toString() : page.token();
        boolean readOnly = page.readOnly() || properties.readOnly();
        PageServer.Options local = XMemAutoConfiguration.checked(
                "xmem.page.port", page.port(), () -> new PageServer.Options(page.port(), null, readOnly));
        PageServer.Options options = XMemAutoConfiguration.checked(
                "xmem.page.origin", page.origin(), () -> new PageServer.Options(local.port(), page.origin(), readOnly));
        PageServer server = XMemAutoConfiguration.checked("xmem.page.token", token, () -> {
            try {
                return PageServer.start(store, properties.directory(), token, options);
            } catch (IOException e) {
                throw new InvalidConfigurationPropertyValueException(
                        "xmem.page.port", page.port(), String.valueOf(e.getMessage()));
            }
        });
        LOG.info("The page of xmem is at " + server.uri());
        return server;
    }

    /** The endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class PageEndpoint {
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint(endpoint = XMemPageEndpoint.class)
        XMemPageEndpoint xmemPageEndpoint(PageServer page) {
            return new XMemPageEndpoint(page);
        }
    }

    /** The actuator endpoint {@code /actuator/xmempage}. Whoever may read it may open the page. */
    @Endpoint(id = "xmempage")
    public static final class XMemPageEndpoint {
        private final PageServer page;

        XMemPageEndpoint(PageServer page) {
            this.page = page;
        }

        /** The address of the page, and one that opens it without the token, once. */
        @ReadOperation
        public Map<String, String> addresses() {
            return Map.of("page", page.uri().toString(), "entry", page.entry().toString());
        }
    }
}
