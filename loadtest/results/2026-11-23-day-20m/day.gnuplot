set output 'day.svg'
set terminal svg size 900,1080 dynamic background 'white' font 'sans,12'
set logscale x
set format x '10^{%T}'
set xrange [1000:*]
set yrange [0:*]
set grid
set key outside right top
set multiplot layout 3,1
set title 'Issuance over the number of stored certificates'
set ylabel 'certificates/s'
plot 'day.tsv' index 0 using 1:2 with linespoints pt 7 ps 0.3 notitle
set title 'Processors a certificate'
set ylabel 'microseconds'
plot 'day.tsv' index 0 using 1:3 with linespoints pt 7 ps 0.3 title 'nodes',\
  '' index 0 using 1:4 with linespoints pt 7 ps 0.3 title 'database',\
  '' index 0 using 1:5 with linespoints pt 7 ps 0.3 title 'client'
set title 'Time of one request at each mark'
set ylabel 'ms'
set xlabel 'stored certificates'
set logscale y
set yrange [*:*]
plot 'day.tsv' index 1 using 1:2 with linespoints title 'single enrollment, p50',\
  '' index 1 using 1:3 with linespoints title 'single enrollment, p99',\
  '' index 1 using 1:4 with linespoints title 'by exact name, p50',\
  '' index 1 using 1:5 with linespoints title 'by prefix, p50',\
  '' index 1 using 1:6 with linespoints title 'by requester, p50',\
  '' index 1 using 1:7 with linespoints title 'by serial number, p50',\
  '' index 1 using 1:8 with linespoints title 'OCSP, p50'
unset multiplot
