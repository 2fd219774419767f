package dev.xmem.core.text.hash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.HashInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                "cat: a.txt: Operation not permitted | cat: İLK.md: İşleme izin verilmedi",
                "cat: a.txt: Is a directory | cat: b.md: ディレクトリです",
                "cat: a.txt: No such process | cat: b.md: Processen finns inte",
                "cat: a.txt: Connection refused | cat: b.md: Spojení odmítnuto",
                "cat: a.txt: Read-only file system | cat: b.md: Bestandssysteem is alleen-lezen",
                "cat: a.txt: Too many open files | cat: b.md: Çok fazla açık dosya var",
                "cat: a.txt: Function not implemented | cat: b.md: Funktion inte implementerad",
                "cat: option requires an argument -- 'n' | cat: přepínač vyžaduje argument – „s“"
            })
    void hash_strerrorInAnotherLanguage_isTheFamilyOfTheEnglishMessage(String english, String other) {
        assertThat(hash("cat", "cat x", other)).isEqualTo(hash("cat", "cat x", english));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nice | nice: „frob-9“: Datei oder Verzeichnis nicht gefunden",
                "nice | nice: «frob-9»: Нет такого файла или каталога",
                "timeout | timeout: コマンド `frob-9' の実行に失敗しました: そのようなファイルやディレクトリはありません",
                "timeout | timeout: kan commando ‘frob-9’ niet uitvoeren: Bestand of map bestaat niet"
            })
    void hash_launcherWithoutItsProgramInAnotherLanguage_isAMissingProgram(String tool, String error) {
        assertThat(hash(tool, tool + " 5 frob-9", error)).isEqualTo(tool + "-command-not-found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "make: alt.mk: No such file or directory\nmake: *** No rule to make target 'alt.mk'.  Stop.",
                "make: neu.mk: Datei oder Verzeichnis nicht gefunden\n"
                        + "make: *** Keine Regel, um „neu.mk“ zu erstellen.  Schluss.",
                "make: ny.mk: Filen eller katalogen finns inte\n"
                        + "make: *** Ingen regel för att skapa målet ”ny.mk”.  Stannar."
            })
    void hash_makeWithoutItsFile_isNoMissingProgram(String error) {
        assertThat(hash("make", "make -f " + error.split(":")[1].strip(), error))
                .isEqualTo("make-run-file-not-found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Usage:\n frob [options] command\n\nFor more details see frob(1).",
                "Aufruf:\n frob [Optionen] Befehl\n\nFür weitere Einzelheiten siehe frob(1).",
                "사용법:\n frob [옵션] 명령\n\n더 자세한 내용은 frob(1)을(를) 참고하십시오."
            })
    void hash_helpInAnotherLanguage_isTheUsage(String error) {
        assertThat(hash("frob", "frob -x", error)).isEqualTo("frob-usage");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "useradd | user 'ada' already exists | el usuario «bob» ya existe",
                "grep | Unmatched ( or \\( | Échec de l’appairage de ( ou de \\(",
                "xz | a.xz: File format not recognized | b.xz: Dateiformat nicht erkannt",
                "sort | invalid number at field start: x | nombre incorrect dans le champ de début: y",
                "wget | unable to resolve host address ‘a.invalid’ | 无法解析主机地址 “b.invalid”",
                "cmd | The service name is invalid. | サービス名が無効です。",
                "head | invalid number of lines: ‘x’ | nombre de lignes incorrect: « y »",
                "head | invalid number of lines: ‘x’ | 无效的行数: “y”",
                "gpg | no valid OpenPGP data found. | non sono stati trovati dati OpenPGP validi.",
                "gpg | no valid OpenPGP data found. | 有効なOpenPGPデータが見つかりません。",
                "frob | user 'ada' does not exist | uživatel „bob“ neexistuje",
                "frob | user 'ada' does not exist | gebruiker 'bob' bestaat niet",
                "frob | group 'ada' already exists | groep 'bob' bestaat reeds",
                "frob | unknown command 'sync' | comando desconhecido 'push'",
                "frob | unknown command 'sync' | nieznane polecenie „push”",
                "frob | invalid signature in archive 'a.box' | неверная подпись в архиве «b.box»",
                "frob | duplicate section 'core' | sección duplicada 'net'",
                "frob | checksum mismatch | Prüfsumme stimmen nicht überein",
                "frob | no such device 'a1' | no hay tal dispositivo 'b2'",
                "frob | symbol 'a' is undefined | シンボル 'b' は未定義です",
                "frob | cannot read header of 'a' | impossible de lire l'en-tête de 'b'",
                "frob | out of memory | 메모리가 부족합니다",
                "psql | relation \"a\" does not exist | Relation »b« existiert nicht",
                "psql | relation \"a\" does not exist | отношение \"b\" не существует",
                "frob | input contains a loop: | la entrada contiene un bucle:",
                "frob | invalid syntax for directive | некорректный синтаксис директивы",
                "frob | unknown package record | unbekannter Paketeintrag",
                "frob | too many errors, aborting | слишком много ошибок, завершение",
                "frob | too many errors, aborting | za dużo błędów, przerwanie wykonywania",
                "frob | unknown protocol was specified | ein unbekanntes Protokoll wurde angegeben",
                "frob | line number overflow | desbordamiento del número de línea",
                "frob | unknown port | 未知端口",
                "cmd | Ping request could not find host a.test. | Ping 请求找不到主机 b.test。",
            })
    void hash_messageOfAProgramInAnotherLanguage_isTheFamilyOfTheEnglishMessage(
            String tool, String english, String other) {
        String prefix = tool.equals("cmd") ? "" : tool + ": ";

        assertThat(hash(tool, tool + " x", prefix + other)).isEqualTo(hash(tool, tool + " x", prefix + english));
    }

    @ParameterizedTest
    @CsvSource({
        "RemoveFileSystemItemUnAuthorizedAccess, permission-denied",
        "NewItemIOError, file-already-exists",
        "UnauthorizedAccess, scripts-disabled"
    })
    void hash_idOfPowershell_isItsCause(String id, String cause) {
        String error = "Foo : Nie można.\n    + FullyQualifiedErrorId : " + id + ",Microsoft.PowerShell.Commands.Foo";

        assertThat(hash("powershell", "Foo b.txt", error)).endsWith('-' + cause);
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "in `call': wrong number of arguments (given 1, expected 2) (ArgumentError)",
                "undefined method `name=' for nil (NoMethodError)",
                "fatal error: concurrent map writes",
                "the processor of a grouped commander errored",
                "modules and certificates of a shop",
                "previous definition of x, an indefinite longitude and its errata",
                "{\"typeName\":\"InvalidElementState\"}"
            })
    void english_englishText_isTheSame(String text) {
        assertThat(Languages.english(text)).isEqualTo(text);
    }

    @Test
    void hash_foreignLetterInAPath_noMessageOfAnotherLanguage() {
        assertThat(hash("frob", "frob x", "frob: basket of /home/josé/shop is not ready for sale"))
                .isEqualTo(hash("frob", "frob x", "frob: basket of /home/jose/shop is not ready for sale"));
    }

    @Test
    void hash_messageInAnotherLanguageWithoutForeignLetters_isRead() {
        String german = "Fehler: Hauptklasse app.Two konnte nicht gefunden oder geladen werden\n"
                + "Ursache: java.lang.ClassNotFoundException: app.Two";
        String english = "Error: Could not find or load main class app.One\n"
                + "Caused by: java.lang.ClassNotFoundException: app.One";

        assertThat(hash("java", "java app.Two", german)).isEqualTo(hash("java", "java app.One", english));
    }

    @Test
    void hash_frenchLineWhoseOnlyMarkIsABlank_isRead() {
        String action = "wget --azure http://localhost";

        assertThat(hash("wget", action, "wget\u00a0: option non reconnue '--azure'"))
                .isEqualTo(hash("wget", action, "wget: unrecognized option '--azure'"));
    }

    @Test
    void english_endingOfAWord_isNoWordBehindTheMessage() {
        assertThat(Languages.english("неожиданная ошибка в a.txt")).doesNotContain("ная");
        assertThat(Languages.english("unbekannter Wert")).isEqualTo("unknown Wert");
    }

    @Test
    void hash_particleBehindTheQuoteOfAnOperand_isNoPartOfTheName() {
        assertThat(hash("wc", "wc seven.txt", "wc: 'seven.txt'을(를) 열 수 없습니다: 그런 파일이나 디렉터리가 없습니다"))
                .isEqualTo(hash("wc", "wc six.txt", "wc: cannot open 'six.txt': No such file or directory"));
    }
}
