/**
 * Removes secrets and invisible characters from every text before it is hashed, indexed, stored or shown.
 *
 * <h2>Reading order</h2>
 *
 * <p>{@link dev.xmem.core.text.redact.Redaction} is the only public class. It first applies
 * {@link dev.xmem.core.text.redact.ControlCharStripper}, then runs a {@link dev.xmem.core.text.redact.RedactionPass}
 * until a pass changes nothing, and last calls the caller's own {@link dev.xmem.spi.Redactor}. A pass uses the
 * {@link dev.xmem.core.text.redact.LiteralMatcher} to find the triggers of the rules, and calls the
 * {@link dev.xmem.core.text.redact.SecretDetector} of each trigger. {@link dev.xmem.core.text.redact.RedactionRules}
 * reads the rules from {@code rules.txt} and the tokens of vendors from {@code tokens.txt}, and creates the detectors.
 *
 * <h2>What is removed</h2>
 *
 * <p>First everything invisible, because it can split a secret: terminal escape sequences with their parameters,
 * control characters other than line feed and tab, bidirectional controls, tag characters and other invisible
 * characters. Unpaired surrogates become U+FFFD. Then secrets. Each is replaced by a placeholder such as
 * {@code [redacted:github-token]} that depends only on the rule, so two texts that differ only in a secret become
 * equal:
 *
 * <ul>
 *   <li>vendor keys, by their literals, alphabets and lengths, some only beside the vendor's name;
 *   <li>private keys in PEM and similar blocks, complete or truncated; JSON web tokens;
 *   <li>the credentials after {@code Authorization}, {@code Bearer} and {@code Cookie}; passwords and tokens in the
 *       user info of a URL, and signatures among its parameters;
 *   <li>the value of a sensitive name such as {@code DB_PASSWORD}, {@code clientSecret} or {@code --api-key}: in shell
 *       commands, configuration, JSON (also escaped), YAML, XML, URLs (also encoded), connection strings, source code
 *       and prose;
 *   <li>the password options of known programs: {@code mysql -p…}, {@code curl -u name:…}; {@code -p} behind a
 *       subcommand {@code login}; what is piped into a program that reads a password, as in {@code echo … | sudo -S}.
 * </ul>
 *
 * <h2>What is not removed</h2>
 *
 * <ul>
 *   <li>Text that only looks random: without a sensitive name or a known shape, forty hexadecimal digits are a commit.
 *       A vendor's token without a prefix is therefore found only next to its name.
 *   <li>The value of a name that no rule lists, such as {@code key=…}; a number of at most three digits; the name of a
 *       mechanism such as {@code SCRAM-SHA-256}.
 *   <li>A word in prose: <i>the password is swordfish</i> stays, because <i>the password is wrong</i> must stay. A
 *       value with a digit or special character is removed.
 *   <li>The part after a blank of an unquoted password.
 *   <li>A word for "no value" ({@code none}, {@code changed}), a reference ({@code $PASS}, {@code ${…}},
 *       {@code <password>}) or a path, even if a user chose it as a password.
 *   <li>Secrets that are base64-encoded, encrypted, spelled out, split across fields, or that contain an invisible
 *       character that scripts need.
 *   <li>Personal data: names, addresses, phone numbers. Removing them is the task of the caller's redactor.
 * </ul>
 *
 * <h2>Complexity</h2>
 *
 * <p>There are no regular expressions on this path. One pass finds the literals of the rules; the detector of a literal
 * reads around it. A detector that finds nothing has read either a bounded range or a range that no later trigger makes
 * it read again. A removed range is never read again. So the work is linear in the length of the text, whatever the
 * text is. Passes repeat until one changes nothing, which makes redaction idempotent. A text that still changes in the
 * eighth pass was built to do so and is replaced as a whole.
 *
 * <h2>Adding a rule</h2>
 *
 * <p>A vendor's token is one line of {@code tokens.txt}. The tests make random samples of each line. Other rules are
 * sections of {@code rules.txt}; a rule with {@code key} needs no code. Each has an example and a counter-example in
 * {@code rule-examples.txt} of the tests. The files describe their own syntax. The texts of {@code benign.txt} in the
 * tests must stay unchanged, and 99 % of the lines of {@code tools.txt} and {@code tools-left-out.txt}.
 */
@NullMarked
package dev.xmem.core.text.redact;

import org.jspecify.annotations.NullMarked;
