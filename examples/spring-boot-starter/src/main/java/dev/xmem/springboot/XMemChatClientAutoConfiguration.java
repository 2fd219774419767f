package dev.xmem.springboot;

import dev.xmem.XMemStore;
import dev.xmem.springai.GuardedToolCalling;
import dev.xmem.springai.XMemAdvisor;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientBuilderCustomizer;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Gives an {@link XMemAdvisor} to every chat client that a {@link ChatClient.Builder} of Spring makes, and guards tools
 * that are resolved by name or do not exist.
 *
 * @since 0.1
 */
@AutoConfiguration(after = XMemAutoConfiguration.class)
@ConditionalOnClass({ChatClient.class, ChatClientBuilderCustomizer.class})
@ConditionalOnSingleCandidate(XMemStore.class)
@ConditionalOnProperty(
        prefix = "xmem",
        name = {"enabled", "chat-client.enabled"},
        matchIfMissing = true)
public class XMemChatClientAutoConfiguration {
    /** The advisor. */
    @Bean
    @ConditionalOnMissingBean
    XMemAdvisor xmemAdvisor(XMemStore store, XMemProperties properties) {
        return XMemAdvisor.with(store).stopAfter(properties.chatClient().stopAfter());
    }

    /** Adds the advisor to each builder. */
    @Bean
    ChatClientBuilderCustomizer xmemChatClientCustomizer(XMemAdvisor advisor) {
        return builder -> builder.defaultAdvisors(advisor);
    }

    /** Wraps each bean that is a {@link ToolCallingManager}: inject it by that interface, not by its class. */
    @Bean
    static BeanPostProcessor xmemToolCalling(ObjectProvider<ToolCallbackResolver> resolver) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof ToolCallingManager manager
                        ? GuardedToolCalling.around(manager, resolver.getIfUnique())
                        : bean;
            }
        };
    }
}
