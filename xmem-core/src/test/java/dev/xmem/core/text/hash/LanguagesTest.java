package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages of common programs in other languages have the family of the English message. */
final class LanguagesTest {
    private static final RuleBasedHasher HASHER = new RuleBasedHasher();

    private static String hash(String tool, String action, String error) {
        return HASHER.hash(HashInput.of(tool, action).error(error, 1)).value();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cat: a.txt: No such file or directory | cat: b.md: Datei oder Verzeichnis nicht gefunden",
                "cat: a.txt: No such file or directory | cat: b.md: Aucun fichier ou dossier de ce type",
                "cat: a.txt: No such file or directory | cat: b.md: Нет такого файла или каталога",
                "cat: a.txt: Permission denied | cat: b.md: Permiso denegado",
                "cat: a.txt: Permission denied | cat: b.md: 허가 거부",
                "cat: a.txt: Is a directory | cat: b.md: È una directory",
                "cat: a.txt: Is a directory | cat: b.md: ディレクトリです"
            })
    void hash_strerrorInAnotherLanguage_isTheFamilyOfTheEnglishMessage(String english, String other) {
        assertThat(hash("cat", "cat x", other)).isEqualTo(hash("cat", "cat x", english));
    }

    @Test
    void hash_powershellInALanguageWithoutRules_isTheFamilyOfItsErrorId() {
        String id =
                "\n    + CategoryInfo          : ObjectNotFound: (C:\\a\\b.txt:String) [Get-Content], ItemNotFoundException"
                        + "\n    + FullyQualifiedErrorId : PathNotFound,Microsoft.PowerShell.Commands.GetContentCommand";
        String english = "Get-Content : Cannot find path 'C:\\a\\b.txt' because it does not exist." + id;
        String polish = "Get-Content : Nie można odnaleźć ścieżki „C:\\a\\b.txt”, ponieważ nie istnieje." + id;

        assertThat(hash("powershell", "Get-Content b.txt", polish))
                .isEqualTo(hash("powershell", "Get-Content b.txt", english))
                .isEqualTo("powershell-get-content-file-not-found");
    }

    @Test
    void english_messageWithANameInside_keepsTheName() {
        assertThat(Languages.english("fatal : Une branche nommée 'topic' existe déjà"))
                .isEqualTo("fatal: a branch named 'topic' already exists");
    }

    @Test
    void english_otherText_isTheSame() {
        String text = "naïve café: größer als 3 … “quoted”";

        assertThat(Languages.english(text)).contains("naïve café").contains("größer");
    }
}
