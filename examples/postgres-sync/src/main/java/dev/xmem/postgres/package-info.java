/** Sync through a PostgreSQL database: {@link dev.xmem.postgres.PostgresSyncBackend}. */
@org.jspecify.annotations.NullMarked
package dev.xmem.postgres;
