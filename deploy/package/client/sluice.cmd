@echo off
rem The client, by the Java of JAVA_HOME, or the one in the Path: 25 or later.
setlocal
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"
"%JAVA%" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m -jar "%~dp0sluice.jar" %*
exit /b %ERRORLEVEL%
