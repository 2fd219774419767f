/**
 * What must not be stored goes out here, before anything else sees the text: hash, disk, index, log and page only know
 * what {@link dev.xmem.core.redact.Redaction} let through.
 *
 * <h2>What is taken out</h2>
 *
 * <p>First what is no text: terminal sequences with what they carry, control characters other than line feed and tab,
 * bidirectional controls, tag characters and other invisible ones; a secret may be broken up by them. Half surrogate pairs
 * become U+FFFD. Then secrets, each for a placeholder such as {@code [redacted:github-token]} that depends on the rule
 * alone, so that two texts which differ in a secret only are equal afterwards:
 *
 * <ul>
 *   <li>keys of vendors, by what they begin with and are made of;
 *   <li>private keys in blocks, whole or torn; JSON web tokens;
 *   <li>what follows {@code Authorization}, {@code Bearer} and {@code Cookie}; passwords and tokens before the host of a URL,
 *       signatures behind it;
 *   <li>the value of a name such as {@code DB_PASSWORD}, {@code clientSecret}, {@code --api-key}: in shells, settings, JSON
 *       (also escaped), YAML, XML, URLs (also encoded), connection strings, programs and sentences;
 *   <li>what certain programs take behind an option: {@code mysql -p…}, {@code curl -u name:…}.
 * </ul>
 *
 * <h2>What is not</h2>
 *
 * <p>What only looks random: without a name beside it or a shape of its own, forty letters are a commit, not a key. So a
 * token of a vendor without a prefix is found beside its name alone. A name that no rule knows ({@code key=…}) hides nothing,
 * and neither does a sentence: <i>the password is swordfish</i> stays, because so does <i>the password is wrong</i>; with a
 * digit or a sign in it, it goes. Of passwords without quotes that hold a blank, what follows the blank stays. A word that
 * stands for nothing ({@code none}, {@code changed}), a reference ({@code $PASS}, {@code ${…}}, {@code <password>}) or a path
 * is never taken for a value, even if somebody chose it as his password. Secrets in base64, encrypted, spelled, parted over
 * fields, or behind an invisible character that scripts need are not found. Names, addresses and numbers of people are not
 * looked for: that is for the caller's own {@link dev.xmem.spi.Redactor}, which runs last.
 *
 * <h2>How</h2>
 *
 * <p>One pass finds where the literals of the rules begin; at each of them its finder looks around. There are no regular
 * expressions. A finder reads a bounded stretch in vain, or one that no later trigger makes it read again; what it takes out
 * is not read again at all. So the work is linear in the text, however hostile. Sweeps are repeated until one finds nothing,
 * so that cleaning twice changes nothing; a text that still changes after the eighth was made for that, and goes as a whole.
 *
 * <h2>To add a rule</h2>
 *
 * <p>Write it into {@code rules.txt}, whose first lines say how, with an example and a counter-example; both are tests. A
 * rule with {@code prefix} or {@code key} needs no code. Try it on the texts in {@code benign.txt} of the tests, in which
 * nothing may be found.
 */
@NullMarked
package dev.xmem.core.text.redact;

import org.jspecify.annotations.NullMarked;
